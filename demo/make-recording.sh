#!/usr/bin/env bash
# Creates demo/recording.mp3, which the demo edits: a person reads, with long silences, too quiet, in a room with a
# fan. The MP3 is in the repository, so that the demo needs only Node; run this only to change it. Needs
# ffmpeg and Debian's pocketsphinx-testdata.
#
# The voice is LibriVox's reading of Jane Austen's Sense and Sensibility, chapter 1, which is in the public
# domain: a volunteer, at home, in 64 kbit/s. pocketsphinx-testdata has five sentences of it. What is ours are
# the silences between them, the fan and the volume:
#
#   seconds of the recording   what
#    1.6 to  8.7               "And Mr. John Dashwood had then leisure to consider how much…"
#   11.5 to 14.5               "He was not an ill-disposed young man,"
#   14.9 to 20.2               "unless to be rather cold hearted and rather selfish is to be ill-disposed."
#   24.1 to 30.1               "Had he married a more a amiable woman…", with a slip of the tongue
#   32.5 to 35.8               "He might even have been made amiable himself."
set -euo pipefail

readonly folder="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly reading=/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb
readonly sentences=(0870 0880 0890 0920 0930)
# Before each sentence, milliseconds. All but one are long silences.
readonly silences=(1600 2800 400 3900 2400)
readonly seconds=37.3

inputs=()
graph=''
for index in "${!sentences[@]}"; do
	inputs+=(-i "$reading-${sentences[index]}.wav")
	graph+="[$index]aresample=44100,afade=d=0.02,areverse,afade=d=0.02,areverse,"
	graph+="adelay=${silences[index]}[part$index];"
done
# The sound of the reader's room, from the quarter of a second before the last sentence, without end: noise
# with the spectrum of that quarter.
graph+="[4]aresample=44100,atrim=end=0.25,afade=d=0.02[quarter];"
graph+="anoisesrc=c=white:r=44100:s=1:d=$seconds[white];[white][quarter]afir,volume=-10dB[room];"
graph+="anoisesrc=c=pink:r=44100:s=2:d=$seconds:a=0.5,highpass=60,volume=-21dB[fan];"
graph+="aevalsrc='sin(2*PI*50*t)+0.6*sin(2*PI*100*t)+0.4*sin(2*PI*150*t)':s=44100:d=$seconds,volume=-56dB[hum];"
graph+="[part0][part1][part2][part3][part4]concat=n=5:v=0:a=1,apad=whole_dur=$seconds[voice];"
graph+="[voice][room][fan][hum]amix=inputs=4:normalize=0,volume=-2dB"

ffmpeg -nostdin -v error -y "${inputs[@]}" -filter_complex "$graph" -ac 1 -map_metadata -1 \
	-fflags +bitexact -c:a libmp3lame -b:a 80k "$folder/recording.mp3"

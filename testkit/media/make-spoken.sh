#!/usr/bin/env bash
# Creates spoken.mp3 for tests: a synthetic monologue with long silences, too quiet, with hiss and hum. The
# MP3 is in the repository, so that the tests need only Node; run this only to change it. Needs espeak-ng, sox and ffmpeg; the result is reproducible (sox -R).
set -euo pipefail

readonly folder="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly rate_hz=44100
work="$(mktemp -d)"
readonly work
trap 'rm -rf "$work"' EXIT

# Seconds of silence after a sentence | the sentence. Those of 1.5 s and more are long silences.
readonly script="\
0.35|Hello, and welcome to the workshop radio.
2.6|Today we talk about something every podcast needs, and nobody enjoys. Editing.
0.4|Last week I recorded an hour of conversation in my kitchen.
0.3|The talk was lovely. The recording was not.
3.4|There was a fridge, there was a fan, and there were very long pauses.
2.1|Which part of this work really needs me?
3.9|Choosing the story does. Cutting four seconds of nothing does not.
0.4|So here is the plan for this episode.
0.35|First we take the noise away. Then we shorten the silences.
1.7|And in the end, everything gets the same, comfortable loudness.
0.4|I keep the pauses that breathe, and drop the ones that only wait.
2.9|You will hear the difference in a moment.
0.5|Thank you for listening."

parts=()
index=0
while IFS='|' read -r pause_seconds sentence; do
	part="$work/$(printf '%02d' "$index").wav"
	espeak-ng -v en-us+m3 -a 70 -s 150 -p 38 -g 2 -w "$work/spoken.wav" "$sentence"
	# espeak-ng adds silence at the end: cut it off, so that the pause has the stated length.
	sox -R "$work/spoken.wav" -r "$rate_hz" -c 1 -b 24 "$part" \
		silence 1 0.01 0.2% fade 0.005 reverse silence 1 0.01 0.2% fade 0.03 reverse \
		pad 0 "$pause_seconds"
	parts+=("$part")
	index=$((index + 1))
done <<<"$script"

# Warmer voice with a little reverb, at the target loudness.
sox -R "${parts[@]}" "$work/voice.wav" \
	gain -6 pad 1.6 0 equalizer 180 0.8q +3 treble -3 5000 reverb 12 60 20 gain -n -3
integrated="$(ffmpeg -nostdin -hide_banner -i "$work/voice.wav" -af ebur128 -f null - 2>&1 |
	awk '/^ +I:/ { loudness = $2 } END { print loudness }')"
sox -R "$work/voice.wav" "$work/quiet.wav" gain "$(awk "BEGIN { print -26.3 - ($integrated) }")"

# Hiss (pink with some white) and mains hum with two overtones.
seconds="$(soxi -D "$work/quiet.wav")"
readonly seconds
sox -R -n -r "$rate_hz" -b 24 "$work/pink.wav" synth "$seconds" pinknoise gain -37
sox -R -n -r "$rate_hz" -b 24 "$work/white.wav" synth "$seconds" whitenoise gain -54
sox -R -n -r "$rate_hz" -b 24 "$work/hum.wav" \
	synth "$seconds" sine 50 sine 100 sine 150 remix 1,2v0.6,3v0.4 gain -60
sox -R -m -v 1 "$work/quiet.wav" -v 1 "$work/pink.wav" -v 1 "$work/white.wav" -v 1 "$work/hum.wav" \
	"$work/recording.wav"

ffmpeg -nostdin -v error -y -i "$work/recording.wav" -map_metadata -1 -fflags +bitexact \
	-c:a libmp3lame -b:a 80k "$folder/spoken.mp3"

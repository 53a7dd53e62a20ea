/* What subtitles keep to, whoever divides words into them or settles their times. */

/** The longest line of a subtitle, in characters. */
export const LINE_LENGTH_MAXIMUM = 42;
export const SHORTEST_CUE_MS = 1_000;
export const LONGEST_CUE_MS = 7_000;
/** Faster than this, in characters a second, a cue is hard to read. */
export const READING_SPEED_MAXIMUM = 20;

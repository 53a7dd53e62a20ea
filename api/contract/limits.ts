/* The constants of api.md#limits. Units are in the names. */

/** POST /v2/edits, POST /v2/noise and POST /v2/upload together, per API key, on a standard plan. */
export const SUBMISSIONS_PER_MINUTE_STANDARD = 30;

/** The same for an enterprise key. */
export const SUBMISSIONS_PER_MINUTE_ENTERPRISE = 100;

/** GET /v2/edits/{id} per API key, on every plan. */
export const STATUS_CALLS_PER_MINUTE = 300;

/** The window over which the service counts, 60 seconds. */
export const RATE_WINDOW_MS = 60_000;

/** The advised time between the submission and the first status call. */
export const FIRST_POLL_DELAY_SECONDS = 30;

/** The advised time between two status calls for one edit. */
export const POLL_INTERVAL_SECONDS = 10;

/** The shortest recommended time between two status calls for one edit; the nodes keep to it. */
export const MIN_POLL_INTERVAL_SECONDS = 5;

/** Uploads, sources and results are deleted this many days after processing. */
export const RETENTION_DAYS = 7;

/** Integrated loudness targets the service accepts, in LUFS. */
export const MIN_TARGET_LUFS = -36;
export const MAX_TARGET_LUFS = -6;

/** The target in LUFS when `normalize` is true and `target_lufs` is omitted. */
export const TARGET_LUFS_DEFAULT = -16;

/** The gate level in LUFS below which audio does not count when loudness is measured. */
export const MUTE_LUFS_DEFAULT = -120;

/** File name extensions of the formats in api.md#input-formats, lower case, without the dot. */
export const SUPPORTED_AUDIO_EXTENSIONS = 'wav mp3 ogg flac m4a aiff aac'.split(' ');
export const SUPPORTED_VIDEO_EXTENSIONS = 'mp4 mov webm avi mkv'.split(' ');

/** The extensions that every known service accepts; some refuse the other ones (api.md#beyond-this-page). */
export const COMMON_EXTENSIONS = ['wav', 'mp3', 'flac', 'm4a'];

import { systemTime } from '../../api/time';

/**
 * When an edit was submitted, in milliseconds of the monotonic clock; undefined if the time is unreadable.
 *
 * @param submittedAt the time as Create Edit outputs it
 */
export function submittedAtMsOf(submittedAt: unknown): number | undefined {
	const ageMs = systemTime.timeOfDay() - Date.parse(String(submittedAt ?? ''));
	// If the submission lies in the future, the system clock was set back since.
	return Number.isNaN(ageMs) ? undefined : systemTime.now() - Math.max(0, ageMs);
}

import type { LocalSettings } from '../../../api/contract';
import { withoutSecrets } from '../../../api/sanitizeText';

/** Settings without the signatures of their links. */
export function withoutSignaturesIn(local: LocalSettings): LocalSettings {
	const { intro, outro, inserts, ...rest } = local;
	return {
		...rest,
		...(intro !== undefined && { intro: withoutSecrets(intro) }),
		...(outro !== undefined && { outro: withoutSecrets(outro) }),
		...(inserts && { inserts: inserts.map((one) => ({ ...one, url: withoutSecrets(one.url) })) }),
	};
}

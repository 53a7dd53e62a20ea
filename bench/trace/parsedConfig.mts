import { join } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The files and options of a configuration of TypeScript in the project's folder, such as `tsconfig.json`.
 *
 * @param system reads the files
 * @throws if there is none
 */
export function parsedConfig(name: string, system: ts.System = ts.sys): ts.ParsedCommandLine {
	const host = { ...system, onUnRecoverableConfigFileDiagnostic: () => {} };
	const parsed = ts.getParsedCommandLineOfConfigFile(join(ROOT, name), {}, host);
	if (parsed === undefined) throw new Error(`${name} cannot be read`);
	return parsed;
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync } from 'fs';

import { run, withFile } from './mediaFiles';

const MUTAGEN = `
import json, sys
from mutagen import File
file = File(sys.argv[1])
tags = {}
for key, value in (file.tags or {}).items():
    one = {name: str(getattr(value, name)) for name in ('text', 'mime', 'type', 'desc', 'url') if hasattr(value, name)}
    if hasattr(value, 'data'):
        one['bytes'] = len(value.data)
    if key.startswith(('CHAP', 'CTOC')):
        one = {name: getattr(value, name) for name in ('element_id', 'start_time', 'end_time', 'child_element_ids') if hasattr(value, name)}
        one['sub'] = {name: str(sub) for name, sub in value.sub_frames.items()}
    tags[key] = one or [len(each) if isinstance(each, bytes) else str(each) for each in value]
chapters = getattr(file, 'chapters', None)
chapters = [[one.start, one.title] for one in chapters] if chapters else []
print(json.dumps({'seconds': file.info.length, 'tags': tags, 'chapters': chapters}))
`;

/** What mutagen reads: its own names of fields, such as `TIT2` or `CHAP:chp1`. */
interface MutagenFile {
	seconds: number;
	tags: Record<string, Record<string, unknown>>;
	chapters: Array<[number, string]>;
}

/** Reads a file with mutagen, of Debian's package python3-mutagen. */
export function readWithMutagen(file: Buffer, name: string): MutagenFile {
	return withFile(file, name, (path) => {
		const output = run('/usr/bin/python3', ['-c', MUTAGEN, path]);
		return JSON.parse(output.toString()) as MutagenFile;
	});
}

/** Changes a file with mutagen. @param code lines of Python that have its path as `path` */
export function changedByMutagen(file: Buffer, name: string, code: string): Buffer {
	return withFile(file, name, (path) => {
		run('/usr/bin/python3', ['-c', `import sys\npath = sys.argv[1]\n${code}`, path]);
		return readFileSync(path);
	});
}

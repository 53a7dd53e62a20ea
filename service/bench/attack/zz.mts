import { tryFairness } from './fairTrial.mts';
import { rm } from 'node:fs/promises';
await rm('/tmp/fair65b', {recursive:true, force:true});
console.log(await tryFairness('/tmp/fair65b'));

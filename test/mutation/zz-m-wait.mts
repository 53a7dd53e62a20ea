
import { runMutants } from "./runMutants.mts";
import { writeFileSync, readFileSync } from 'node:fs';
const t = Date.now();
const [, , name, mutate, tests] = process.argv;
const r = await runMutants({ mutate: mutate.split(';'), concurrency: Number(process.env.CONC ?? 1), testFiles: tests.split(';') });
const per: any = {};
for (const m of r) { const f = m.fileName.replace(process.cwd()+'/',''); per[f] ??= {}; per[f][m.status] = (per[f][m.status] ?? 0) + 1; }
console.log(per, (Date.now()-t)/1000);
writeFileSync(`/tmp/mt/${name}.json`, JSON.stringify(r));
for (const m of r) if (!['Killed','Timeout'].includes(m.status)) { const lines = readFileSync(m.fileName,'utf8').split('\n'); const {start,end}=m.location; const orig = start.line===end.line ? lines[start.line-1].slice(start.column-1,end.column-1): lines[start.line-1].slice(start.column-1)+'…'; console.log(m.status[0], m.fileName.replace(process.cwd()+'/',''), start.line, m.mutatorName, '|', orig, '=>', m.replacement.replaceAll('\n',' '), m.static ? 'static':'', m.status==='RuntimeError'? m.statusReason?.slice(0,200):''); }

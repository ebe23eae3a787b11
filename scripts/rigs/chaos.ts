import { parseArgs } from 'node:util';
import { runChaos } from './chaos/run-chaos.ts';
import { parsePositiveIntegers } from './whole-numbers.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const options = parsePositiveIntegers({ ...values });
const began = performance.now();
const { kills, answered, cut, lost, half, refused, damage } = await runChaos({
  ...options,
  onProgress: (done) => process.stderr.write(`\r${done} kills`),
});

console.log(`
${kills} kills in ${Math.round((performance.now() - began) / 1_000)} s, seed ${options.seed}
answered   ${answered.edit} edits of members, ${answered.question} questions, ${answered.person} people of the directory
cut off    ${cut.kept + cut.gone}, of which ${cut.kept} are there whole and ${cut.gone} not at all
refused    ${refused.length}
lost       ${lost.length}
half saved ${half.length}
damage     ${damage.length}`);
for (const line of [...refused.slice(0, 3), ...lost.slice(0, 10), ...half.slice(0, 10), ...damage]) console.log(line);

const holds = [refused, lost, half, damage].every((list) => list.length === 0);
process.exitCode = holds ? 0 : 1;

// Measures the bare cost of a sign-in, sequentially and without HTTP. Runs for the number of milliseconds given as
// its argument, then prints the cost per sign-in.
import { createSignInWork } from './sign-in-work.mjs';

const WARM_UP_MS = 300;
const work = createSignInWork(process.env.DATABASE_FILE);

function signInFor(milliseconds) {
  const before = process.cpuUsage();
  const began = performance.now();
  let count = 0;
  for (; performance.now() < began + milliseconds; count += 1) {
    work.begin();
    work.open();
    work.answer();
    work.exchange();
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / seconds, cpuMicroseconds: (user + system) / count };
}

signInFor(WARM_UP_MS);
console.log(JSON.stringify(signInFor(Number(process.argv[2]))));

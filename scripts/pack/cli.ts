import { runOrchestrate } from '../orchestrate/run-orchestrate.ts';

await runOrchestrate(() => import('@orchestrate/server/main'));

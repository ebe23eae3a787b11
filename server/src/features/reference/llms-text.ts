import { readFileSync } from 'node:fs';
import { projectPath } from '@orchestrate/db';

interface TaskSection {
  heading: string;
  tasks: { task: string; line: string }[];
}

/** Reads the tables of the testing guide, which list client-test tasks and the code for each. */
function tasksOfTheGuide(): TaskSection[] {
  const guide = readFileSync(projectPath('docs/testing-a-client.md'), 'utf8');
  const [, ...parts] = guide.split(/^## /m);
  return parts
    .map((part) => {
      const rows = [...part.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)].filter(([, , line = '']) => line.includes('`'));
      return {
        heading: part.split('\n')[0] ?? '',
        tasks: rows.map(([, task = '', line = '']) => ({ task: task.trim(), line: line.trim() })),
      };
    })
    .filter(({ tasks }) => tasks.length > 0);
}

/** Returns instructions for coding assistants that write tests: rules, and one line per task in the testing guide. */
export const assistantInstructions = (): string =>
  [
    RULES,
    EXAMPLE,
    ...tasksOfTheGuide().map(({ heading, tasks }) => `## ${heading}\n\n${tasks.map(lineOf).join('\n')}\n`),
  ].join('\n');

/**
 * Returns `/docs/llms.txt` (llmstxt.org).
 * @param portal origin of the portal that serves the file
 */
export const llmsText = (portal: string): string => `# Orchestrate

> A portal where people sign in without passwords, complete on one machine, as a test double: server, database, web client and the phones that approve.
> A test controls the person, the phone, the server, the network, the time and the email, and checks how the client reacts.

${assistantInstructions()}
## More

- [OpenAPI](${portal}/openapi.json): every endpoint with its fields, permissions and results; \`/api/lab/*\` contains the controls
- [AsyncAPI](${portal}/docs/asyncapi.json): every socket with its messages
- [Reference for people](${portal}/docs)
- [The lab](${portal}/lab): the same controls by hand
`;

const lineOf = ({ task, line }: { task: string; line: string }) => `- ${task}: ${line}`;

const RULES = `## Rules

- In JavaScript and TypeScript the portal runs in the process of the tests: \`const portal = await startPortal()\` from \`orchestrate/testing\`, once per file; \`await portal.close()\` after the last test. In Playwright use \`test\` of \`orchestrate/playwright\` with its fixtures \`portal\`, \`person\`, \`phone\`, \`outbox\`, \`signedIn\`. In Python, \`orchestrate.start()\` has the same methods in snake_case (\`PYTHONPATH=$(npx orchestrate python-path)\`). In any other language start \`npx orchestrate start --json\`, read \`url\` from the line that it prints, and call \`/api/lab/*\`.
- \`await portal.reset()\` before each test. Each parallel worker has a portal of its own, or \`await portal.space()\`.
- Create the people that a test needs: \`const { email } = await portal.person({ org: 'acme' })\`. They have a phone. \`const { token, storageState } = await portal.session({ email })\` starts a session; \`portal.call(contract.session.getProfile, {}, { token })\` with \`contract\` of \`orchestrate/contract\` calls any endpoint, with types.
- Do what the program under test does without it: \`portal.call(contract.session.login, { body: { orgCode: 'acme', mode: 'QID' } })\` returns a \`loginId\`, \`portal.call(contract.session.loginState, { params: { loginId } })\` with its \`state\`, and \`const live = await portal.open(loginLive, { loginId })\` follows it on a socket: \`await live.next()\` is the next message, with the \`state\`, and \`live.close()\` ends it. \`loginLive\` is also exported by \`orchestrate/contract\`.
- A call that the portal refuses rejects with \`status\`, \`resultCode\`, \`resultName\` and \`message\`: \`await expect(portal.call(contract.session.getProfile, {}, { token })).rejects.toMatchObject({ resultName: 'UNAUTHORIZED' })\`. Only \`approve\` and \`deny\` with a \`lie\` or the wrong number resolve with the refusal.
- First set up the world (\`policy\`, \`fault\`, \`socketFault\`, \`clock\`), then let the client act, then check what it displays, and with \`portal.verify({ path: '/api/refresh', count: 1 })\` what it sent.
- Never sleep. \`portal.clock({ advance: '10m' })\` runs everything that is due before it returns; \`portal.outbox({ to: email, wait: 5 })\` waits for an email.
- Never mock \`fetch\`, the socket or the phone: the portal can simulate failures of each.
- To test an application (OpenID Connect, SAML) without a browser: \`await portal.browser({ as: email }).open(address)\` follows it to the portal, approves on the phone and returns: \`url\`, \`status\`, \`headers\` and \`text\` are of the page where it ends. With \`answer: 'deny'\` it denies, and ends at the portal's sign-in page. The application is in the world: \`startPortal({ seed: { organisations: [{ code: 'acme', applications: [{ id, oidc: { redirectUris, secrets: [{ secret }] } }], people: [{ email, devices: [{}] }] }] } })\`.
- A misspelt control is refused: the message names the field and the closest match. \`portal.faults()\` lists which have fired and which are pending.
- A fault applies to one call, or to \`times\` calls; a policy applies until the reset, or \`times\` times.
`;

const EXAMPLE = `## A file of tests

\`\`\`ts
let portal: Portal;
let email: string;
let client: PortalClient;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(async () => {
  await portal.reset();
  ({ email } = await portal.person({ org: 'acme' }));
  client = new PortalClient({ url: portal.url, org: 'acme', quietMs: 100, backoffMs: 5 });
});
afterAll(() => portal.close());
\`\`\`

\`\`\`ts
test('fails if the phone denies', async () => {
  await portal.policy({ match: { email }, answer: 'deny', opens: true });
  await expect(client.signIn(() => {})).rejects.toEqual(failing('LOGIN_REJECTED'));
});
\`\`\`

\`Portal\` and \`startPortal\` are imported from \`orchestrate/testing\`, \`test\` and the like from your runner. \`client\` and \`failing\` stand for the program
under test and for what it throws. Jest needs \`NODE_OPTIONS=--experimental-vm-modules\`.
`;

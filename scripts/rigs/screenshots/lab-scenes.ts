import { getProfile, health, login, makeSession, makeSpace, setClock, takeSnapshot } from '@orchestrate/shared';
import type { Scene, Studio } from './scene.ts';

/** Opens the lab with an email in the outbox. */
async function openLab({ page }: Studio, search = ''): Promise<void> {
  await page.goto(`/lab${search}`);
  await page.getByRole('list', { name: 'Messages' }).waitFor();
}

/** Opens one of the lab's sections. */
async function openSection({ page }: Studio, path: string, heading: string): Promise<void> {
  await page.goto(`/lab/${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

const ON = ['desktop', 'laptop', 'phone'] as const;

export const labScenes: Scene[] = [
  {
    name: 'lab',
    async arrange(studio) {
      await openLab(studio);
    },
  },
  {
    name: 'lab-text',
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.lab.fault({ method: 'POST', path: '/device/manage', times: 3 });
      await openLab(studio);
      await page.getByRole('list', { name: 'Messages' }).getByRole('button').nth(1).click();
      await page.getByRole('tab', { name: 'Text' }).click();
    },
  },
  {
    name: 'lab-nothing-found',
    async arrange(studio) {
      await studio.page.goto('/lab?to=nobody');
      await studio.page.getByRole('heading', { name: 'No messages to' }).waitFor();
    },
  },
  {
    name: 'lab-empty',
    isWhole: true,
    async arrange({ page, portal }) {
      await portal.lab.emptyOutbox();
      await page.goto('/lab');
      await page.getByText('No messages yet').waitFor();
    },
  },
  {
    name: 'lab-reset',
    on: ['desktop'],
    async arrange(studio) {
      await openLab(studio);
      await studio.page.getByRole('button', { name: 'Reset the portal' }).click();
      await studio.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'lab-people',
    on: ['desktop', 'laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.lab.policy({ match: { org: 'acme' }, answer: 'approve', afterMs: 800 });
      await page.goto('/lab/people');
      await page.getByRole('list', { name: 'People' }).waitFor();
    },
  },
  {
    name: 'lab-people-one',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      const match = { email: 'user@acme.test', org: 'acme' };
      await portal.lab.policy({ match, answer: 'deny', afterMs: 250, lie: 'replay', times: 2 });
      await portal.lab.policy({ match: {}, answer: 'approve' });
      await page.goto('/lab/people?find=user@acme.test');
      await page.getByRole('list', { name: 'People' }).getByRole('button').first().click();
      await page.getByRole('list', { name: 'Active policies' }).waitFor();
    },
  },
  {
    name: 'lab-people-make',
    on: ['laptop', 'phone'],
    async arrange({ page }) {
      await page.goto('/lab/people');
      await page.getByRole('button', { name: 'Create a person' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'lab-requests',
    isWhole: true,
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' } });
      await openSection(studio, 'requests', 'Requests');
      await page.getByRole('list', { name: 'Requests' }).waitFor();
    },
  },
  {
    name: 'lab-deliveries',
    isWhole: true,
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.lab.webhookFault({ do: 'mis-sign', signature: 'old', event: 'member.paused', times: 2 });
      await portal.lab.webhookFault({ do: 'delay', ms: 800, org: 'acme' });
      await portal.lab.outboxFault({ smtp: 451, to: 'user@acme.test' });
      await openSection(studio, 'deliveries', 'Deliveries');
      await page.getByRole('list', { name: 'Pending delivery faults' }).waitFor();
    },
  },
  {
    name: 'lab-requests-none',
    async arrange(studio) {
      await openSection(studio, 'requests', 'Requests');
      await studio.page.getByText('No pending requests').waitFor();
    },
  },
  {
    name: 'lab-requests-lie',
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      await openSection(studio, 'requests', 'Requests');
      await page.getByRole('textbox', { name: 'Answer as' }).fill('user@acme.test');
      await page.getByRole('combobox', { name: 'Answer' }).selectOption('wrong-key');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText(/The portal refused this answer/).waitFor();
    },
  },
  {
    name: 'lab-journal',
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(getProfile, {});
      for (let count = 0; count < 20; count += 1) await portal.call(health, {});
      await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      await openSection(studio, 'journal', 'Journal');
      await page.getByRole('list', { name: 'Journal' }).waitFor();
    },
  },
  {
    name: 'lab-journal-entry',
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      await openSection(studio, 'journal', 'Journal');
      await page.getByText('POST /api/user/login LOGIN_INIT').click();
      await page.getByRole('heading', { name: 'Response body' }).waitFor();
    },
  },
  {
    name: 'lab-journal-check',
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(getProfile, {});
      await openSection(studio, 'journal', 'Journal');
      await page.getByRole('button', { name: 'Verify the journal' }).click();
      await page.getByRole('textbox', { name: 'Path' }).fill('/api/profile');
      await page.getByRole('spinbutton', { name: 'HTTP status' }).fill('200');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByRole('list', { name: 'Closest matches' }).waitFor();
    },
  },
  {
    name: 'lab-policies',
    isWhole: true,
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      const match = { email: 'user@acme.test', org: 'acme' };
      await portal.lab.policy({ match, answer: 'deny', reason: 'not-me', times: 2 });
      await portal.lab.policy({ match: { org: 'acme', kind: 'login' }, answer: 'approve', afterMs: 800 });
      await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' } });
      await openSection(studio, 'phones', 'Policies');
      await page.getByRole('list', { name: 'Automatic answers' }).waitFor();
    },
  },
  {
    name: 'lab-clock',
    isWhole: true,
    on: ON,
    async arrange(studio) {
      await studio.portal.call(setClock, { body: { mode: 'real' } });
      await studio.portal.call(setClock, { body: { advance: '1d' } });
      await openSection(studio, 'clock', 'Clock');
      await studio.page.getByText('Running ahead of the machine’s time.').waitFor();
    },
  },
  {
    name: 'lab-worlds',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page }) {
      await page.goto('/lab/worlds');
      await page.getByRole('heading', { name: 'Snapshots' }).waitFor();
    },
  },
  {
    name: 'lab-worlds-full',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.call(takeSnapshot, { body: { name: 'Before the sign-in' } });
      await page.goto('/lab/worlds');
      await page.getByRole('combobox', { name: 'Start over with' }).selectOption('Your own world file file');
      await page
        .getByLabel('World file')
        .locator('input')
        .setInputFiles({
          name: 'world.yaml',
          mimeType: 'application/yaml',
          buffer: Buffer.from(
            'organisations:\n  - code: initech\n    nmae: Initech\n    people:\n      - emial: bill@initech.test\n',
          ),
        });
      await page.getByRole('button', { name: 'Start over' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
      await page.getByRole('list', { name: 'Mistakes' }).waitFor();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'lab-spaces',
    isWhole: true,
    on: ON,
    async arrange(studio) {
      const { page, portal } = studio;
      for (const name of ['Worker 1', 'Worker 2', 'Stage: The Honourable Company of Long Names & Sons'])
        await portal.call(makeSpace, { body: { name, seed: 'none' } });
      await openSection(studio, 'spaces', 'Spaces');
      await page.getByRole('list', { name: 'Spaces' }).waitFor();
    },
  },
  {
    name: 'lab-faults',
    isWhole: true,
    on: ON,
    async arrange({ page, portal }) {
      await portal.lab.fault({ match: { path: '/api/health' }, answer: { resultName: 'EXPIRED' } });
      await portal.lab.fault({ match: { path: '/oidc/acme/token' }, answer: { token: 'expired' }, times: 3 });
      await page.request.get('/api/health');
      await page.goto('/lab/faults');
      await page.getByRole('list', { name: 'Triggered faults' }).waitFor();
    },
  },
  {
    name: 'lab-faults-many',
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page, portal } = studio;
      const email = 'user@acme.test';
      for (let after = 0; after < 50; after += 1) {
        const answer = { status: 500 + (after % 5), delayMs: 10 * after };
        await portal.lab.fault({ match: { path: '/api/device/manage', email }, answer, after });
      }
      await openSection(studio, 'faults', 'Faults');
      await page.getByRole('list', { name: 'Pending faults' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'lab-sockets',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.lab.socketFault({ channel: 'login', do: 'close', code: 1011, state: 'success' });
      await portal.lab.socketFault({ channel: 'verbal', do: 'delay', ms: 1_500, times: 3 });
      await openSection(studio, 'sockets', 'Sockets');
      await page.getByRole('list', { name: 'Pending socket faults' }).waitFor();
    },
  },
  {
    name: 'lab-magic',
    on: ['laptop', 'phone'],
    async arrange(studio) {
      await openSection(studio, 'magic', 'Magic addresses');
      await studio.page.getByText('expired@magic.test', { exact: true }).waitFor();
    },
  },
  {
    name: 'lab-provisioning',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page, portal } = studio;
      await openSection(studio, 'provisioning', 'Provisioning');
      await page.getByRole('textbox', { name: 'URL' }).fill(`${portal.url}/nothing-here`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('list', { name: 'Responses' }).waitFor();
    },
  },
  {
    name: 'lab-tokens',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      const { token } = (await portal.call(makeSession, { body: { email: 'user@acme.test' } })).body;
      await page.goto('/lab/tokens');
      await page.getByRole('textbox', { name: 'Token or SAML response' }).fill(`${token.slice(0, -8)}AAAAAAAA`);
      await page.getByRole('button', { name: 'Inspect' }).click();
      await page.getByText(/must not be accepted/).waitFor();
    },
  },
  {
    name: 'lab-reconnecting',
    on: ['laptop', 'phone'],
    async arrange(studio) {
      const { page } = studio;
      await page.routeWebSocket('**/ws/lab', (socket) => socket.close());
      await openSection(studio, 'clock', 'Clock');
      await page.getByText('Reconnecting…').waitFor();
    },
  },
];

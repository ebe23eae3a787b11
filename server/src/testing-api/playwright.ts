import type { makePerson, PhoneLie, ReplyOf } from '@orchestrate/shared';
import { test as base, type Page } from '@playwright/test';
import { connectPortal } from './connect-portal.ts';
import type { Portal } from './portal.ts';
import { type Options, requireOptions } from './require-options.ts';
import type { StartOptions } from './start-portal.ts';

export { expect } from '@playwright/test';

/** Where the tests find their portal. */
export interface PortalOptions extends Omit<StartOptions, 'port'> {
  /** Origin of a portal that runs already: each worker gets a space of it. By default each worker starts a portal. */
  url?: string;
  /** Where the lab of that portal wants one (`LAB_TOKEN`). */
  labToken?: string;
}

const OPTIONS: Options<keyof PortalOptions> = {
  url: ['string'],
  labToken: ['string'],
  seed: ['string', 'object'],
  now: ['string'],
  env: ['object'],
  onLog: ['function'],
};

/** What the person's phone does by itself from now on, also with codes that a browser shows. */
export interface Phone {
  approves(options?: { afterMs?: number; number?: 'right' | 'wrong'; lie?: PhoneLie; times?: number }): Promise<void>;
  denies(options?: { afterMs?: number; reason?: 'not-me' | 'cancel'; times?: number }): Promise<void>;
  ignores(options?: { times?: number }): Promise<void>;
}

export interface WorkerFixtures {
  portalOptions: PortalOptions;
  /** The worker's own portal, as the test before has left it: tests use `portal`. */
  workerPortal: Portal;
}

export interface Fixtures {
  /** The organisation of `person`; `acme`, of the demo, unless set. */
  org: string;
  /** A portal of this worker, at its beginning for every test. `page.goto('/')` leads there. */
  portal: Portal;
  /** Somebody new with a phone. */
  person: ReplyOf<typeof makePerson>;
  /** The phone of `person`. */
  phone: Phone;
  /** Mails and text messages, newest first; `{ to: person.email, wait: 5 }` waits for one. */
  outbox: Portal['outbox'];
  /** A page on which `person` is signed in. */
  signedIn: Page;
}

/** Loads the whole server, which takes a while and is not needed where the portal runs elsewhere. */
const startHere = async (options: StartOptions) => (await import('./start-portal.ts')).startPortal(options);

/** What a space of a portal elsewhere can be given. @throws Error for an option that would do nothing there */
function spaceOf({ seed, now, env, onLog }: Omit<StartOptions, 'port'>) {
  if (env ?? onLog) throw new Error('env and onLog belong to a portal that is started here, not to one at a url.');
  if (typeof seed === 'string' && seed !== 'demo' && seed !== 'none') {
    throw new Error(`A portal at a url is given a world, not the file ${seed}: read it first.`);
  }
  return { ...(seed && { seed }), ...(now && { now }) };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  portalOptions: [{}, { option: true, scope: 'worker' }],
  org: ['acme', { option: true }],

  workerPortal: [
    async ({ portalOptions }, use) => {
      requireOptions('portalOptions', portalOptions, OPTIONS);
      const { url, labToken, ...start } = portalOptions;
      const portal = url ? await connectPortal({ url, labToken }).space(spaceOf(start)) : await startHere(start);
      await use(portal);
      await portal.close();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ workerPortal }, use) => {
    await use(workerPortal.url);
  },

  portal: [
    async ({ workerPortal }, use) => {
      await workerPortal.reset();
      await use(workerPortal);
    },
    { auto: true },
  ],

  person: async ({ portal, org }, use) => {
    await use(await portal.person({ org }));
  },

  phone: async ({ portal, person }, use) => {
    const match = { email: person.email };
    await use({
      approves: (options) => portal.policy({ match, answer: 'approve', opens: true, ...options }),
      denies: (options) => portal.policy({ match, answer: 'deny', opens: true, ...options }),
      ignores: (options) => portal.policy({ match, answer: 'ignore', opens: true, ...options }),
    });
  },

  outbox: async ({ portal }, use) => {
    await use((query) => portal.outbox(query));
  },

  signedIn: async ({ browser, contextOptions, portal, person }, use) => {
    const { storageState } = await portal.session({ email: person.email, org: person.orgCode });
    const context = await browser.newContext({ ...contextOptions, baseURL: portal.url, storageState });
    await use(await context.newPage());
    await context.close();
  },
});

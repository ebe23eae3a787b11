import type { makePerson, PhoneLie, ReplyOf } from '@orchestrate/shared';
import { test as base, type Page } from '@playwright/test';
import { connectPortal } from './connect-portal.ts';
import { explain, requireUsed } from './explain-failures.ts';
import type { Portal } from './portal.ts';
import { type Options, requireOptions } from './require-options.ts';
import type { StartOptions } from './start-portal.ts';

export { expect } from '@playwright/test';

/** Determines which portal the tests use. */
export interface PortalOptions extends Omit<StartOptions, 'port'> {
  /**
   * Origin of a running portal on which each worker gets its own space. By default, each worker starts its own
   * portal.
   */
  url?: string;
  /** Token of the running portal's lab (`LAB_TOKEN`), if it requires one. */
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

/** Sets how the person's phone answers automatically. The phone also scans codes shown in a browser. */
export interface Phone {
  approves(options?: { afterMs?: number; number?: 'right' | 'wrong'; lie?: PhoneLie; times?: number }): Promise<void>;
  denies(options?: { afterMs?: number; reason?: 'not-me' | 'cancel'; times?: number }): Promise<void>;
  ignores(options?: { times?: number }): Promise<void>;
}

export interface WorkerFixtures {
  portalOptions: PortalOptions;
  /** The worker's portal, in the state left by the previous test. Tests should use `portal` instead. */
  workerPortal: Portal;
}

export interface Fixtures {
  /** Organisation of `person`. Default: `acme` from the demo. */
  org: string;
  /** True to fail a passed test if one of its faults or policies has not fired. Default: false. */
  failOnUnused: boolean;
  /**
   * The worker's portal, reset before every test. Open it with `page.goto('/')`. A failed test reports the last
   * ten journal entries, and the faults and policies that have not fired.
   */
  portal: Portal;
  /** A new person with a phone. */
  person: ReplyOf<typeof makePerson>;
  /** The phone of `person`. */
  phone: Phone;
  /**
   * Lists emails and text messages, newest first. `{ to: person.email, wait: 5 }` waits up to five seconds for a
   * message.
   */
  outbox: Portal['outbox'];
  /** A page on which `person` is signed in. */
  signedIn: Page;
}

/** Loads the server only when needed, because loading takes a while. */
const startHere = async (options: StartOptions) => (await import('./start-portal.ts')).startPortal(options);

/**
 * Returns the options for a space on a remote portal. @throws Error for an option that has no effect on a remote
 * portal
 */
function spaceOf({ seed, now, env, onLog }: Omit<StartOptions, 'port'>) {
  if (env ?? onLog) throw new Error('env and onLog cannot be combined with url: they configure a portal started here.');
  if (typeof seed === 'string' && seed !== 'demo' && seed !== 'none') {
    throw new Error(`seed must be a world, not the file ${seed}, if url is set. Read the file first.`);
  }
  return { ...(seed && { seed }), ...(now && { now }) };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  portalOptions: [{}, { option: true, scope: 'worker' }],
  org: ['acme', { option: true }],
  failOnUnused: [false, { option: true }],

  workerPortal: [
    async ({ portalOptions }, use) => {
      requireOptions('portalOptions', portalOptions, OPTIONS);
      const { url, labToken, ...start } = portalOptions;
      if (labToken !== undefined && url === undefined)
        throw new Error('labToken requires url: it is the token of a running portal.');
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
    async ({ workerPortal, failOnUnused }, use, testInfo) => {
      await workerPortal.reset();
      await use(workerPortal);
      if (testInfo.errors.length > 0) testInfo.errors.push({ message: await explain(workerPortal) });
      else if (failOnUnused) await requireUsed(workerPortal);
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

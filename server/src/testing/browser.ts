import { addressOf, completeAppLogin, login } from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import request, { type Agent, type Response } from 'supertest';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import { approveQr, type StartedQr, type TestPortal } from './test-portal.ts';

/** Form fields. */
type Fields = Readonly<Record<string, string>>;

/** A user's browser without scripts. It stores cookies and follows redirects. */
export interface TestBrowser {
  /** Sends any other request to the portal with the browser's cookies, as a page script would. */
  agent: Agent;
  /**
   * Opens a URL or posts a form to it. Follows redirects until they reach a page or leave the portal. Signs in at the
   * sign-in page if the browser has a user.
   */
  open(address: string | URL, form?: Fields): Promise<TestPage>;
  /** Submits a page's form as its button would. */
  submit(page: TestPage, pressed?: Fields): Promise<TestPage>;
  /**
   * Follows redirects across sites and returns the URL of the page they lead to.
   * @param change replaces a URL before it is opened; returning undefined stops at that URL
   */
  walk(address: string, change?: (url: URL) => URL | undefined): Promise<URL>;
}

/** The final page and its response. */
export interface TestPage {
  url: URL;
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Maximum number of redirects. No sign-in needs as many. */
const MOST_STEPS = 20;

/** Creates a browser. @param email user who signs in with the simulated device whenever a page asks for it */
export function testBrowser(portal: TestPortal, email?: string): TestBrowser {
  const agent = request.agent(portal.url);
  // supertest's cookie jar supports `Expires` but not `Max-Age`, which the portal uses to delete its cookies.
  agent.on('response', ({ headers }: Response) => {
    const over = [headers['set-cookie'] ?? []].flat().filter((cookie) => cookie.includes('; Max-Age=0;'));
    const expired = over.map((cookie) => `${cookie}; Expires=Thu, 01 Jan 1970 00:00:00 GMT`);
    agent.jar.setCookies(expired, new URL(portal.url).hostname, '/');
  });

  /** Each site has its own cookies. */
  const agents = new Map([[portal.url, agent]]);
  function agentFor({ origin }: URL): Agent {
    const found = agents.get(origin) ?? request.agent(origin);
    agents.set(origin, found);
    return found;
  }

  async function follow(
    start: URL,
    next: (url: URL) => URL | undefined | Promise<URL | undefined>,
    form?: Fields,
  ): Promise<TestPage> {
    let page: TestPage = { url: start, status: 0, headers: {}, text: '' };
    let posted = form;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const url = await next(page.url);
      if (!url) return page;
      const [site, path] = [agentFor(url), `${url.pathname}${url.search}`];
      const sending = posted ? site.post(path).type('form').send(posted) : site.get(path);
      const { status, headers, text } = await sending.accept('html');
      page = { url: new URL(headers.location ?? url, url), status, headers, text };
      if (headers.location === undefined) return page;
      posted = undefined;
    }
    throw new Error(`Too many redirects at ${page.url}.`);
  }

  async function withinPortal(url: URL): Promise<URL | undefined> {
    if (url.origin !== portal.url) return undefined;
    if (!url.searchParams.has('app')) return url;
    return email === undefined ? undefined : new URL(await signInAt(portal, portal.device(email), url, agent), url);
  }

  const open: TestBrowser['open'] = (address, form) => follow(new URL(address, portal.url), withinPortal, form);
  return {
    agent,
    open,
    submit({ text, url }, pressed) {
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
      if (action === undefined) throw new Error('This page has no form.');
      const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      return open(new URL(action, url), {
        ...Object.fromEntries(fields.map(([, name, value]) => [name, value])),
        ...pressed,
      });
    },
    walk: async (address, change = (url) => url) => (await follow(new URL(address, portal.url), change)).url,
  };
}

/** Creates a browser the portal recognises. Returns its ID as stored in rows, and its `Cookie` header. */
export function createRecognisedBrowser({ deps }: TestPortal): { browser: string; cookie: string } {
  const { browser, cookie } = identifyBrowser(deps, undefined);
  return { browser, cookie: cookie.split(';', 1)[0] ?? '' };
}

/** Returns the response's browser identification cookie, in the format the browser sends back. */
export const browserCookieIn = ({ headers }: { headers: Record<string, unknown> }): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((cookie) => /^(__Host-)?\w*browser_id=/.test(cookie))
    ?.split(';', 1)[0] ?? '';

/** Returns a response's cookie in the format a browser sends back. */
export const cookieIn = ({ headers }: { headers: Record<string, string> }): string =>
  String(headers['set-cookie']).split(';', 1)[0] ?? '';

/**
 * Signs a person in at an application's sign-in page, using the same requests as the page.
 * @param agent browser that opened the page
 * @returns the URL that continues the protocol
 */
export async function signInAt(portal: TestPortal, phone: DeviceState, page: URL, agent: Agent): Promise<string> {
  const [, orgCode] = page.pathname.split('/');
  const appLoginId = page.searchParams.get('app') ?? '';
  const started = await agent.post(`/api${login.path}`).send({ orgCode, mode: 'QID', appLoginId });
  if (started.body.loginId === undefined) throw new Error(started.body.message);
  const pending: StartedQr = started.body;
  const exchangeToken = await approveQr(portal, phone, pending);
  const { body } = await agent
    .post(`/api${addressOf(completeAppLogin, { params: { appLoginId } })}`)
    .send({ loginId: pending.loginId, exchangeToken });
  if (body.resultCode !== 0) throw new Error(body.message);
  return body.redirectTo;
}

import { completeAppLogin, login, loginState } from '@orchestrate/shared';
import type { TestPortal } from './test-portal.ts';

/** A browser driven by a test: it sends cookies according to their path, and follows redirects within the portal. */
export interface TestBrowser {
  /** Opens an address and follows redirects to a page, or to the first address outside the portal. */
  open(url: string | URL): Promise<Visit>;
  /** Submits a form of the page that was opened last, as its button would. */
  submit(visit: Visit, pressed?: Record<string, string>): Promise<Visit>;
}

export interface Visit {
  /** The final address. */
  url: URL;
  /** 0 outside the portal. */
  status: number;
  body: string;
  headers: Headers;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** More redirects than anything in the portal needs. */
const MOST_STEPS = 20;

/**
 * @param email who signs in where a page asks for it, with the simulated device; if absent, it stops at the sign-in
 * page
 */
export function testBrowser(portal: TestPortal, email?: string): TestBrowser {
  let cookies: Cookie[] = [];

  function keep(url: URL, setCookie: readonly string[]): void {
    for (const header of setCookie) {
      const [pair = '', ...attributes] = header.split('; ');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const attribute = (key: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
      const path = attribute('path') ?? url.pathname;
      cookies = cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      const isOver = attribute('max-age') === '0' || attribute('expires')?.includes('1970');
      if (!isOver && value !== '') cookies.push({ name, value, path });
    }
  }

  async function follow(start: URL, init: RequestInit): Promise<Visit> {
    let [url, request] = [start, init];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (url.origin !== portal.url) return { url, status: 0, body: '', headers: new Headers() };
      const app = url.searchParams.get('app');
      if (app !== null && email !== undefined) {
        url = new URL(await signInTo(portal, email, app), url);
        request = {};
        continue;
      }
      const cookie = cookies
        .filter(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
      const headers = { accept: 'text/html', ...(cookie && { cookie }), ...request.headers };
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      keep(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      const body = await response.text();
      if (location === null) return { url, status: response.status, body, headers: response.headers };
      [url, request] = [new URL(location, url), {}];
    }
    throw new Error(`There is no end to the redirects at ${url}.`);
  }

  return {
    open: (url) => follow(new URL(url), {}),
    submit({ body: html, url }, pressed = {}) {
      const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
      if (action === undefined) throw new Error('There is no form on this page.');
      const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const hidden = fields.map(([, name = '', value = '']): [string, string] => [name, value]);
      const body = new URLSearchParams([...hidden, ...Object.entries(pressed)]);
      return follow(new URL(action, url), { method: 'POST', body });
    },
  };
}

/** Signs a seeded person in to an application, as the sign-in page does. @returns the way back to the protocol */
export async function signInTo(portal: TestPortal, email: string, appLoginId: string): Promise<string> {
  const phone = portal.device(email);
  const begun = await portal.call(login, { body: { orgCode: phone.orgCode, mode: 'QID', appLoginId } });
  const { loginId = '', qid = '', matchNumber: number } = begun.body;
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve', number });
  const { exchangeToken = '' } = (await portal.call(loginState, { params: { loginId } })).body;
  const { body } = await portal.call(completeAppLogin, { params: { appLoginId }, body: { loginId, exchangeToken } });
  return body.redirectTo;
}

import { completeAppLogin, login, loginState } from '@orchestrate/shared';
import type { TestPortal } from './test-portal.ts';

/** Where a browser has arrived. */
export interface TestPage {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

/** What a person's browser does without scripts: it keeps cookies and follows redirects. */
export interface TestBrowser {
  /** Opens an address, or posts a form there, and stops at the sign-in page or on leaving the portal's origin. */
  open(address: string | URL, form?: Readonly<Record<string, string>>): Promise<TestPage>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

const REDIRECTS_MAX = 10;

export function createBrowser({ url: origin }: Pick<TestPortal, 'url'>): TestBrowser {
  const jar: Cookie[] = [];

  function keep(headers: Headers): void {
    for (const header of headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
      const [name = ''] = pair.split('=', 1);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const at = jar.findIndex((cookie) => cookie.name === name && cookie.path === path);
      if (at >= 0) jar.splice(at, 1);
      const isOver = attributes.some(
        (attribute) => /^max-age=0$/i.test(attribute) || /expires=.*1970/i.test(attribute),
      );
      if (!isOver) jar.push({ name, value: pair.slice(name.length + 1), path });
    }
  }

  /** RFC 6265 §5.1.4: the path is the cookie's, or below it. */
  const cookiesFor = ({ pathname }: URL): string =>
    jar
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  async function fetchOnce(url: URL, form: Readonly<Record<string, string>> | undefined): Promise<Response> {
    const body = form && new URLSearchParams(form);
    const headers = { cookie: cookiesFor(url) };
    return fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) });
  }

  async function open(address: string | URL, form?: Readonly<Record<string, string>>): Promise<TestPage> {
    let url = new URL(address, origin);
    let posted = form;
    for (let count = 0; count < REDIRECTS_MAX; count += 1) {
      const response = await fetchOnce(url, posted);
      keep(response.headers);
      const location = response.headers.get('location');
      const page = { url, status: response.status, headers: response.headers, text: await response.text() };
      if (location === null) return page;
      url = new URL(location, url);
      posted = undefined;
      if (url.origin !== origin || url.searchParams.has('app')) return { ...page, url };
    }
    throw new Error(`${address} redirects without end.`);
  }
  return { open };
}

/**
 * Signs a seeded person in at the sign-in page, as the page does it, and continues to where it leads.
 * @param before what happens before the browser continues
 */
export async function signInAt(
  portal: TestPortal,
  browser: TestBrowser,
  { url }: Pick<TestPage, 'url'>,
  email: string,
  before: () => Promise<void> = async () => {},
): Promise<TestPage> {
  const appLoginId = url.searchParams.get('app');
  if (!appLoginId) throw new Error(`${url} is no sign-in page of an application.`);
  const [, orgCode = ''] = url.pathname.split('/');
  const phone = portal.device(email);
  const begun = await portal.call(login, { body: { orgCode, mode: 'QID', appLoginId } });
  const { loginId = '', qid = '', matchNumber: number } = begun.body;
  const { challenge } = await portal.authenticator.resolve(phone, qid);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve', number });
  const { exchangeToken = '' } = (await portal.call(loginState, { params: { loginId } })).body;
  const completed = await portal.call(completeAppLogin, { params: { appLoginId }, body: { loginId, exchangeToken } });
  if (completed.body.resultCode !== 0) throw new Error(completed.body.message);
  await before();
  return browser.open(completed.body.redirectTo);
}

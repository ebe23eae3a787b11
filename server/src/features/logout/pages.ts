import { createHash } from 'node:crypto';
import type { logoutRepo } from '@orchestrate/db';
import { createPage, escapeHtml, PAGE_POLICY, type Page, type Translate } from '#platform/http/answers/plain-page.ts';

type Participant = logoutRepo.LogoutParticipant;

/** Describes the outcome for an application. @param name escaped name of the application */
function describeOutcome(t: Translate, name: string, state: Participant['state']): string {
  if (state === 'done') return t(`${name}: signed out`);
  if (state === 'told') return t(`${name}: sign-out requested`);
  return t(`${name}: couldn't be signed out`);
}

/** Submits the form once the applications' front-channel pages have loaded. */
const SUBMIT_ON_LOAD = "addEventListener('load',function(){document.forms[0].submit()})";
const SUBMIT_ON_LOAD_SOURCE = `'sha256-${createHash('sha256').update(SUBMIT_ON_LOAD).digest('base64')}'`;

/** Returns true if the sign-out failed and the user may still be signed in to the application. */
export const hasFailed = ({ state }: Participant): boolean => state !== 'done' && state !== 'told';

interface SignedOut {
  participants: readonly Participant[];
  /** Where the browser continues, or undefined on the final page. */
  next: string | undefined;
}

/** Renders a list of signed-out applications and loads the applications' front-channel pages. */
export function signedOutPage({ participants, next }: SignedOut): { page: Page; policy: string } {
  const pages = participants.flatMap(({ page: address }) => address ?? []);
  const failed = participants.some(hasFailed);
  const frames = pages.map((address) => `<iframe src="${escapeHtml(address)}" title="" hidden></iframe>`);
  const page = createPage((t) => {
    const items = participants.map(({ name, state }) => `<li>${describeOutcome(t, escapeHtml(name), state)}</li>`);
    const body = [
      ...(items.length > 0 ? [`<ul>${items.join('')}</ul>`] : []),
      ...(failed ? [`<p>${t('Sign out there yourself, or close the browser.')}</p>`] : []),
      ...frames,
      next === undefined
        ? `<p>${t('You can close this page.')}</p>`
        : `<form action="${escapeHtml(next)}"><button type="submit">${t('Continue')}</button></form>`,
      // Continue automatically only if nothing failed, because the user must be able to read the failures.
      ...(next !== undefined && !failed ? [`<script>${SUBMIT_ON_LOAD}</script>`] : []),
    ];
    return { title: failed ? t("You aren't signed out everywhere") : t('Signed out'), body: body.join('\n') };
  });
  const sources = [...new Set(pages.map((address) => new URL(address).origin))];
  return {
    page,
    policy: [
      PAGE_POLICY.replace('script-src ', `script-src ${SUBMIT_ON_LOAD_SOURCE} `),
      ...(sources.length > 0 ? [`frame-src ${sources.join(' ')}`] : []),
    ].join(';'),
  };
}

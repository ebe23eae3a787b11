import { createHash } from 'node:crypto';
import type { logoutRepo } from '@orchestrate/db';
import { escapeHtml, PAGE_POLICY, renderPage } from '#platform/http/answers/plain-page.ts';

type Participant = logoutRepo.LogoutParticipant;

const STATES: Readonly<Record<Participant['state'], string>> = {
  done: 'signed out',
  told: 'asked to sign you out',
  failed: 'could not be signed out',
  waiting: 'could not be signed out',
  asked: 'could not be signed out',
};

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
export function signedOutPage({ participants, next }: SignedOut): { text: string; policy: string } {
  const pages = participants.flatMap(({ page: address }) => address ?? []);
  const items = participants.map((one) => `<li>${escapeHtml(one.name)}: ${STATES[one.state]}</li>`);
  const failed = participants.some(hasFailed);
  const frames = pages.map((address) => `<iframe src="${escapeHtml(address)}" title="" hidden></iframe>`);
  const back =
    next === undefined
      ? '<p>You may close this page.</p>'
      : `<form action="${escapeHtml(next)}"><button type="submit">Continue</button></form>`;
  const body = [
    ...(items.length > 0 ? [`<ul>${items.join('')}</ul>`] : []),
    ...(failed ? ['<p>Sign out there yourself, or close the browser.</p>'] : []),
    ...frames,
    back,
    // Continue automatically only if nothing failed, because the user must be able to read the failures.
    ...(next !== undefined && !failed ? [`<script>${SUBMIT_ON_LOAD}</script>`] : []),
  ];
  const sources = [...new Set(pages.map((address) => new URL(address).origin))];
  return {
    text: renderPage(failed ? "You aren't signed out everywhere" : 'Signed out', body.join('\n')),
    policy: [
      PAGE_POLICY.replace('script-src ', `script-src ${SUBMIT_ON_LOAD_SOURCE} `),
      ...(sources.length > 0 ? [`frame-src ${sources.join(' ')}`] : []),
    ].join(';'),
  };
}

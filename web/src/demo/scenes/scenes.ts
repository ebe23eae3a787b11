import { t } from '@lingui/core/macro';
import { activate, deleteDevice, inviteUsers, readOutbox, replaceDevice, startVerbal } from '@orchestrate/shared';
import { activationLink } from '#lib/address/authenticator-links.ts';
import { encodeMemberSegment } from '#lib/address/member-address.ts';
import { call } from '#lib/api/call.ts';
import { paths } from '#paths.ts';
import { castAttribute, castId } from '../world/demo-world.ts';
import { CAST } from '../world/people.ts';
import { answered, isAsked, isMailed, isToldWho, refusedWith, requestIs } from './happened.ts';
import { HandFailed, type Scene } from './scene.ts';
import { approve, firstSignIn, scanCode } from './usual-steps.ts';

const { first, last } = CAST.traveller;
const member = encodeMemberSegment({
  primaryAttr: castAttribute('traveller'),
  suid: castId('traveller'),
  fullName: `${first} ${last}`,
});

export const lostPhone: Scene = {
  title: t`A lost phone`,
  short: t`Lost phone`,
  about: t`Tomás has left the phone in a taxi and rings the help desk. Noor takes it out of service.`,
  who: 'traveller',
  browserAs: 'agent',
  browserAt: () => paths.member(member),
  phoneOf: 'traveller',
  steps: [
    {
      title: t`The help desk reports it lost`,
      text: t`In the menu of the phone under Devices, choose Report lost, and confirm.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press({ begins: t`More actions for ${'Galaxy'}` });
        await browser.press(t`Report lost`);
        // The item of the menu and the button of the dialog begin alike.
        await browser.find('[role=alertdialog]');
        await browser.press({ begins: t`Report lost` });
      },
      isDone: (entry) => answered(deleteDevice)(entry) || answered(replaceDevice)(entry),
    },
    {
      title: t`The phone is worth nothing`,
      text: t`The finder sees that this device is no longer registered. Its key opens nothing.`,
      at: 'phone',
      isDone: refusedWith('DEVICE_NOT_TRUSTED'),
    },
    {
      title: t`Tomás is told`,
      text: t`An email says what was done, so no one can do it unnoticed.`,
      at: 'browser',
      isDone: isMailed('device-lost'),
    },
  ],
};

export const deniedAttempt: Scene = {
  title: t`An attempt that is denied`,
  short: t`Denied attempt`,
  about: t`Someone who knows Maya’s address tries to sign in with it. Maya is at lunch, and so is the phone.`,
  who: 'employee',
  browserAt: (orgCode) => `${paths.signIn(orgCode)}?with=device`,
  phoneOf: 'employee',
  steps: [
    {
      title: t`A stranger types Maya’s address`,
      text: t`In the browser, type Maya’s address and press Ask my device.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        // The organisation's own attribute follows.
        const attribute = '';
        await browser.type({ begins: t`Email or ${attribute}` }, emailOf('employee'));
        await browser.press(t`Ask my device`);
      },
      isDone: isAsked,
    },
    {
      title: t`Maya’s phone asks`,
      text: t`Maya started nothing. Press Deny, then “It wasn’t me”.`,
      at: 'phone',
      show: async ({ phone }) => {
        await phone.press(t`Deny`);
        await phone.press(t`It wasn't me`);
      },
      isDone: requestIs('denied'),
    },
    {
      title: t`The administrators know`,
      text: t`The browser is turned away, and the administrators are told what was requested, when and from where.`,
      at: 'browser',
      isDone: isMailed('security-alert'),
    },
  ],
};

/** The newest mail to this address that has what is looked for. */
async function newestMail<T>(to: string, has: (mail: { links: string[]; code?: string | undefined }) => T | undefined) {
  const { messages } = await call(readOutbox, { query: { to, wait: 5 } });
  for (const mail of messages) {
    const found = has(mail);
    if (found !== undefined) return found;
  }
  throw new HandFailed(t`The email hasn't arrived yet. Complete the previous step first.`);
}

const newColleague: Scene = {
  title: t`A new colleague`,
  short: t`New colleague`,
  about: t`Lena’s first day. Iris sends an invitation, and ten seconds later Lena’s phone is the key.`,
  who: 'newcomer',
  browserAs: 'admin',
  browserAt: () => `${paths.manageUsers}?modal=invite`,
  phoneOf: null,
  steps: [
    {
      title: t`Iris invites Lena`,
      text: t`Choose Mobile, type Lena’s address and press Invite.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        await browser.press({ begins: t`Mobile` });
        await browser.type({ begins: t`Email addresses` }, `${emailOf('newcomer')} `);
        await browser.press(t`Invite`);
      },
      isDone: answered(inviteUsers),
    },
    {
      title: t`Lena opens the link in the email`,
      text: t`Show me opens it. The link works once, and brings the code for the phone.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        const link = new URL(await newestMail(emailOf('newcomer'), ({ links }) => links[0]));
        await browser.open(`${link.pathname}${link.search}`);
      },
      isDone: isMailed('activation-code'),
    },
    {
      title: t`The phone becomes the key`,
      text: t`On the phone, under Activation code, Show me enters Lena’s address and the code from the email.`,
      at: 'phone',
      show: async ({ phone, orgCode, emailOf }) => {
        const code = await newestMail(emailOf('newcomer'), (mail) => mail.code);
        await phone.open(activationLink(orgCode));
        await phone.type(t`Email`, emailOf('newcomer'));
        await phone.type(t`Activation code`, code);
        await phone.press(t`Activate`);
      },
      isDone: answered(activate),
    },
  ],
};

const singleSignOn: Scene = {
  title: t`An application with single sign-on`,
  short: t`Single sign-on`,
  about: t`Maya opens Payroll and the Wiki. One approval is enough for both.`,
  who: 'employee',
  browserAt: () => '/demo/app/payroll',
  phoneOf: 'employee',
  steps: [
    {
      title: t`Payroll asks who is there`,
      text: t`Press Sign in. Payroll has no passwords: it sends the browser to the sign-in page, where you press Sign in.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press(t`Sign in to Payroll`);
        await browser.press(t`Sign in`);
      },
      isDone: isAsked,
    },
    { ...scanCode, isDone: requestIs('opened', 'app-login') },
    { ...approve, isDone: requestIs('approved', 'app-login') },
    {
      title: t`Payroll knows Maya`,
      text: t`It was given a signed token (OpenID Connect), with the name and the address, and no password.`,
      at: 'browser',
      isDone: isToldWho,
    },
    {
      title: t`The Wiki doesn't ask again`,
      text: t`Open the Wiki and press Sign in there. This browser is already signed in, so the phone stays in the pocket.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.open('/demo/app/wiki');
        await browser.press(t`Sign in to Wiki`);
      },
      isDone: isToldWho,
    },
  ],
};

const caller: Scene = {
  title: t`A caller at the help desk`,
  short: t`Caller`,
  about: t`Someone calls, claiming to be Henrik from Finance. Noor checks whether it's true.`,
  who: 'caller',
  browserAs: 'agent',
  browserAt: () => paths.authenticateCaller,
  phoneOf: 'caller',
  steps: [
    {
      title: t`Noor asks for a code`,
      text: t`Press Generate. Noor reads the eight characters out to the caller.`,
      at: 'browser',
      show: async ({ browser }) => browser.press(t`Generate`),
      isDone: answered(startVerbal),
    },
    {
      title: t`The caller types it`,
      text: t`On the phone choose Type code, and type what Noor read out.`,
      at: 'phone',
      show: async ({ browser, phone }) => {
        const shown = await browser.find(`[role=img][aria-label^="${t`Code for the caller: ${''}`.trim()}"]`);
        const code = (shown.getAttribute('aria-label') ?? '').replace(/^.*:/, '').replaceAll(' ', '');
        await phone.press(t`Type code`);
        await phone.type(t`Code`, code);
      },
      isDone: requestIs('opened', 'verbal'),
    },
    {
      title: t`The caller confirms`,
      text: t`The phone says who is asking. Approve, and Noor sees who is really calling.`,
      at: 'phone',
      show: async ({ phone }) => phone.press(t`Approve`),
      isDone: requestIs('approved', 'verbal'),
    },
  ],
};

/** The guided scenes, in the order of their keys 1 to 6. */
export const SCENES: readonly Scene[] = [firstSignIn, lostPhone, caller, deniedAttempt, newColleague, singleSignOn];

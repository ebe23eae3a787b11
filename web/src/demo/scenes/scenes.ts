import { t } from '@lingui/core/macro';
import { activate, deleteDevice, inviteUsers, readOutbox, replaceDevice, startVerbal } from '@orchestrate/shared';
import { activationLink } from '#lib/address/authenticator-links.ts';
import { encodeMemberSegment } from '#lib/address/member-address.ts';
import { call } from '#lib/api/call.ts';
import { paths } from '#paths.ts';
import { castEmployeeId, castSuid } from '../world/demo-world.ts';
import { CAST } from '../world/people.ts';
import { emailed, refusedWith, requestReached, signInStarted, succeeded, tokensIssued } from './journal-matchers.ts';
import { type Scene, StepError } from './scene.ts';
import { approve, firstSignIn, scanCode } from './usual-steps.ts';

const { first, last } = CAST.traveller;
const member = encodeMemberSegment({
  primaryAttr: castEmployeeId('traveller'),
  suid: castSuid('traveller'),
  fullName: `${first} ${last}`,
});

export const lostPhone: Scene = {
  title: t`A lost phone`,
  short: t`Lost phone`,
  about: t`Tomás left a phone in a taxi and calls the help desk, where Noor reports it lost.`,
  who: 'traveller',
  browserAs: 'agent',
  browserAt: () => paths.member(member),
  phoneOf: 'traveller',
  steps: [
    {
      title: t`The help desk reports it lost`,
      text: t`Under Devices, open the phone's menu, choose Report lost and confirm.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press({ begins: t`More actions for ${'Galaxy'}` });
        await browser.press(t`Report lost`);
        // Wait for the dialog, because its button starts with the same words as the menu item.
        await browser.find('[role=alertdialog]');
        await browser.press({ begins: t`Report lost` });
      },
      isDone: (entry) => succeeded(deleteDevice)(entry) || succeeded(replaceDevice)(entry),
    },
    {
      title: t`The phone is rejected`,
      text: t`Anyone who finds it only sees that the device is no longer registered. Its key is useless.`,
      at: 'phone',
      isDone: refusedWith('DEVICE_NOT_TRUSTED'),
    },
    {
      title: t`Tomás is notified`,
      text: t`An email reports the change, so it can't happen unnoticed.`,
      at: 'browser',
      isDone: emailed('device-lost'),
    },
  ],
};

export const deniedAttempt: Scene = {
  title: t`A denied attempt`,
  short: t`Denied attempt`,
  about: t`Someone who knows Maya’s email tries to sign in as Maya.`,
  who: 'employee',
  browserAt: (orgCode) => `${paths.signIn(orgCode)}?with=device`,
  phoneOf: 'employee',
  steps: [
    {
      title: t`A stranger enters Maya’s email`,
      text: t`In the browser, enter Maya’s email and press Send request.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        // The label ends with the name of the organisation's custom field. Leave the name empty to match only the
        // label's beginning.
        const attribute = '';
        await browser.type({ begins: t`Email or ${attribute}` }, emailOf('employee'));
        await browser.press(t`Send request`);
      },
      isDone: signInStarted,
    },
    {
      title: t`Maya’s phone asks for approval`,
      text: t`Maya didn't start this sign-in. Press Deny, then “It wasn’t me”.`,
      at: 'phone',
      show: async ({ phone }) => {
        await phone.press(t`Deny`);
        await phone.press(t`It wasn't me`);
      },
      isDone: requestReached('denied'),
    },
    {
      title: t`The administrators are notified`,
      text: t`The sign-in is rejected. An email tells the administrators when the attempt was made and from where.`,
      at: 'browser',
      isDone: emailed('security-alert'),
    },
  ],
};

/** Returns the value that `has` finds in the newest email to an address. Emails without such a value are skipped. */
async function newestMail<T>(to: string, has: (mail: { links: string[]; code?: string | undefined }) => T | undefined) {
  const { messages } = await call(readOutbox, { query: { to, wait: 5 } });
  for (const mail of messages) {
    const found = has(mail);
    if (found !== undefined) return found;
  }
  throw new StepError(t`The email hasn't arrived yet. Complete the previous step first.`);
}

const newColleague: Scene = {
  title: t`A new colleague`,
  short: t`New colleague`,
  about: t`It's Lena’s first day. Iris sends an invitation, and seconds later Lena can sign in with a phone.`,
  who: 'newcomer',
  browserAs: 'admin',
  browserAt: () => `${paths.manageUsers}?modal=invite`,
  phoneOf: null,
  steps: [
    {
      title: t`Iris invites Lena`,
      text: t`Choose Mobile, enter Lena’s email and press Invite.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        await browser.press({ begins: t`Mobile` });
        await browser.type({ begins: t`Email addresses` }, `${emailOf('newcomer')} `);
        await browser.press(t`Invite`);
      },
      isDone: succeeded(inviteUsers),
    },
    {
      title: t`Lena opens the link in the email`,
      text: t`Press Show me to open it. The link takes Lena to an activation code.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        const link = new URL(await newestMail(emailOf('newcomer'), ({ links }) => links[0]));
        await browser.open(`${link.pathname}${link.search}`);
      },
      isDone: emailed('activation-code'),
    },
    {
      title: t`Lena activates the phone`,
      text: t`On the phone, choose Activation code. Show me fills in Lena’s email and the code.`,
      at: 'phone',
      show: async ({ phone, orgCode, emailOf }) => {
        const code = await newestMail(emailOf('newcomer'), (mail) => mail.code);
        await phone.open(activationLink(orgCode));
        await phone.type(t`Email`, emailOf('newcomer'));
        await phone.type(t`Activation code`, code);
        await phone.press(t`Activate`);
      },
      isDone: succeeded(activate),
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
      title: t`Payroll asks for a sign-in`,
      text: t`Press Sign in. Payroll has no passwords, so it opens your organisation's sign-in page. Press Sign in there too.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press(t`Sign in to Payroll`);
        await browser.press(t`Sign in`);
      },
      isDone: signInStarted,
    },
    { ...scanCode, isDone: requestReached('opened', 'app-login') },
    { ...approve, isDone: requestReached('approved', 'app-login') },
    {
      title: t`Payroll signs Maya in`,
      text: t`It received a signed OpenID Connect token with Maya’s name and email, and no password.`,
      at: 'browser',
      isDone: tokensIssued,
    },
    {
      title: t`The Wiki doesn't ask again`,
      text: t`Open the Wiki and press Sign in. This browser is already signed in, so no approval is needed.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.open('/demo/app/wiki');
        await browser.press(t`Sign in to Wiki`);
      },
      isDone: tokensIssued,
    },
  ],
};

const caller: Scene = {
  title: t`A caller at the help desk`,
  short: t`Caller`,
  about: t`Someone calls, claiming to be Henrik from Finance. Noor verifies the caller.`,
  who: 'caller',
  browserAs: 'agent',
  browserAt: () => paths.authenticateCaller,
  phoneOf: 'caller',
  steps: [
    {
      title: t`Noor generates a code`,
      text: t`Press Generate. Noor reads the eight characters out to the caller.`,
      at: 'browser',
      show: async ({ browser }) => browser.press(t`Generate`),
      isDone: succeeded(startVerbal),
    },
    {
      title: t`The caller enters the code`,
      text: t`On the phone, choose Type code and enter the code that Noor read out.`,
      at: 'phone',
      show: async ({ browser, phone }) => {
        const shown = await browser.find(`[role=img][aria-label^="${t`Code for the caller: ${''}`.trim()}"]`);
        const code = (shown.getAttribute('aria-label') ?? '').replace(/^.*:/, '').replaceAll(' ', '');
        await phone.press(t`Type code`);
        await phone.type(t`Code`, code);
      },
      isDone: requestReached('opened', 'verbal'),
    },
    {
      title: t`The caller confirms`,
      text: t`The phone shows who is asking. After the approval, Noor sees who is calling.`,
      at: 'phone',
      show: async ({ phone }) => phone.press(t`Approve`),
      isDone: requestReached('approved', 'verbal'),
    },
  ],
};

/** Scenes in the order of their keys, 1 to 6. */
export const SCENES: readonly Scene[] = [firstSignIn, lostPhone, caller, deniedAttempt, newColleague, singleSignOn];

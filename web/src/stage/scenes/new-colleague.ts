import { t } from '@lingui/core/macro';
import { activate, inviteUsers, readOutbox } from '@orchestrate/shared';
import { activationLink } from '../../lib/address/activation-link.ts';
import { call } from '../../lib/api/call.ts';
import { paths } from '../../paths.ts';
import { answered, isMailed } from './happened.ts';
import { HandFailed, type Scene } from './scene.ts';

/** The newest mail to this address that has what is looked for. */
async function newestMail<T>(to: string, has: (mail: { links: string[]; code?: string | undefined }) => T | undefined) {
  const { messages } = await call(readOutbox, { query: { to, wait: 5 } });
  for (const mail of messages) {
    const found = has(mail);
    if (found !== undefined) return found;
  }
  throw new HandFailed(t`The email hasn't arrived yet. Complete the previous step first.`);
}

export const newColleague: Scene = {
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

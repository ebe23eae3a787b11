import { t } from '@lingui/core/macro';
import { startVerbal } from '@orchestrate/shared';
import { paths } from '../../paths.ts';
import { answered, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';

export const caller: Scene = {
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

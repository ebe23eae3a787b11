import { startVerbal } from '@orchestrate/shared';
import { paths } from '../../paths.ts';
import { answered, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';

export const caller: Scene = {
  title: 'A caller at the help desk',
  short: 'Caller',
  about: 'Somebody rings and claims to be Henrik from Finance. Noor finds out whether it is true.',
  who: 'caller',
  browserAs: 'agent',
  browserAt: () => paths.authenticateCaller,
  phoneOf: 'caller',
  steps: [
    {
      title: 'Noor asks for a code',
      text: 'Press Generate. Noor reads the eight characters out to the caller.',
      at: 'browser',
      show: async ({ browser }) => browser.press('Generate'),
      isDone: answered(startVerbal),
    },
    {
      title: 'The caller types it',
      text: 'On the phone choose Type code, and type what Noor read out.',
      at: 'phone',
      show: async ({ browser, phone }) => {
        const shown = await browser.find('[role=img][aria-label^="Code for the caller"]');
        const code = (shown.getAttribute('aria-label') ?? '').replace(/^.*:/, '').replaceAll(' ', '');
        await phone.press('Type code');
        await phone.type('Code', code);
      },
      isDone: requestIs('opened', 'verbal'),
    },
    {
      title: 'The caller confirms',
      text: 'The phone says who is asking. Approve, and Noor sees who is really calling.',
      at: 'phone',
      show: async ({ phone }) => phone.press('Approve'),
      isDone: requestIs('approved', 'verbal'),
    },
  ],
};

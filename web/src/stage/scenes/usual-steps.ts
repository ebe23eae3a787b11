import { isAsked, isSignedIn, requestIs } from './happened.ts';
import type { Stage, Step } from './scene.ts';

/** Opens on the phone what the browser's QR code says, as its camera would. */
export async function scan({ browser, phone }: Stage): Promise<void> {
  const code = await browser.find('[data-qr]');
  const { pathname, search } = new URL(code.getAttribute('data-qr') ?? '');
  await phone.open(`${pathname}${search}`);
}

export const askForCode: Step = {
  title: 'The browser asks for a code',
  text: 'Press Sign in. There is no password: the browser shows a code that works once.',
  at: 'browser',
  show: async ({ browser }) => browser.press('Sign in'),
  isDone: isAsked,
};

export const scanCode: Step = {
  title: 'The phone reads it',
  text: 'The phone’s camera scans the code. By hand, choose Type code in the browser and on the phone.',
  at: 'phone',
  show: scan,
  isDone: requestIs('opened'),
};

export const approve: Step = {
  title: 'Approve',
  text: 'The phone says who asks and from where. Approve: the phone signs the answer with its own key.',
  at: 'phone',
  show: async ({ phone }) => phone.press('Approve'),
  isDone: requestIs('approved'),
};

export const signedIn: Step = {
  title: 'Signed in',
  text: 'The browser goes on by itself.',
  at: 'browser',
  isDone: isSignedIn,
};

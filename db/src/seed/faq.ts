import type { WorldOrganisation } from '@orchestrate/shared';

/** Questions with their answers, by subcategory, by category. */
type Content = Record<string, Record<string, Record<string, string>>>;

const REL = 'target="_blank" rel="noopener noreferrer nofollow"';

const ACME_CONTENT: Content = {
  'Signing in': {
    'The basics': {
      'How do I sign in without a password?':
        '<p>Your device is the key. On the sign-in page choose <strong>Sign in</strong>, then</p><ol><li><p>scan the QR code with the authenticator on your phone, or type the short code below it, and</p></li><li><p>approve the request with your fingerprint, face or PIN.</p></li></ol><p>The page signs you in by itself. There is nothing to remember, and nothing that anybody could steal.</p>',
      'The QR code has expired. What now?':
        '<p>A code is good for <strong>two minutes</strong>. Choose <em>Get a new code</em> below it: the page shows a fresh one at once.</p><p>If codes keep expiring while you scan them, check that your phone sets its time automatically.</p>',
      'Why does my phone ask for a number?':
        '<p>With a request by push, the sign-in page shows a number and your phone offers three. Choose the one that you <em>see on the page</em>.</p><blockquote><p>Nobody from Acme ever calls to tell you a number. If a request arrives that you did not begin, deny it and choose <strong>It wasn’t me</strong>.</p></blockquote>',
      'I cannot scan the code. Is there another way?':
        '<p>Yes. Open the authenticator, choose <strong>Type code</strong> and enter the eight characters from below the QR code. Capitals, spaces and hyphens do not matter.</p>',
    },
    'When it does not work': {
      'It says “Access not allowed from this IP Address”':
        '<p>Acme lets people sign in from known networks only. Connect to the office network or to the VPN and try again. The addresses are explained in the <a href="https://intranet.acme.test/network" ' +
        `${REL}>network guide</a>.</p>`,
      'My sign-in was rejected':
        '<p>Either the request was denied on the device, or the wrong number was chosen. Begin again; nothing is locked.</p><p>If you did not deny it yourself, tell the help desk: somebody else may have your device.</p>',
    },
  },
  Devices: {
    'Adding and changing devices': {
      'How do I add a second device?':
        '<p>Sign in, open the dashboard and choose <strong>Add device</strong>. Scan the code with the new device and compare the two characters that both screens show.</p><p>You can have up to <strong>five</strong> devices. We recommend two: then you are never locked out.</p>',
      'I have a new phone. How do I move?':
        '<ol><li><p>Keep the old phone until you are done.</p></li><li><p>Add the new phone as a second device.</p></li><li><p>Sign in with the new phone once.</p></li><li><p>Then delete the old one from the dashboard.</p></li></ol>',
      'Can I give my devices names?':
        '<p>Yes: choose the pencil beside a device. A nickname has at least three characters and only you and the administrators see it.</p>',
    },
    'Lost devices': {
      'My phone was lost or stolen':
        '<p><strong>Report it at once.</strong> Sign in with another device and choose <em>Report lost</em>: whatever was signed in with the lost phone ends in that moment.</p><p>Without another device call the help desk at <code>+1 555 0100</code>. They will ask you to identify yourself, then mail you a new activation code.</p>',
      'I found it again':
        '<p>A device that was reported lost never works again. Delete the account from its authenticator and add it like a new one.</p>',
    },
  },
  'Working with the help desk': {
    'Calls and codes': {
      'How does the help desk know that it is me?':
        '<p>The agent starts a request and reads you a short code. Type it into your authenticator and approve: the agent then sees your name, and no question about your mother’s maiden name is needed.</p>',
      'What is an activation code?':
        '<p>Six digits with which the first device of a person is set up. It works <strong>once</strong>, for <strong>24 hours</strong>, and locks after five wrong tries. The help desk can send you a new one.</p>',
    },
  },
};

const GLOBEX_CONTENT: Content = {
  'Getting started': {
    'Your first day': {
      'How do I set up my phone?':
        '<p>Open the invitation on your phone, follow the link and enter the activation code. Then try it: sign in on your computer and choose <strong>Test device</strong>.</p>',
      'Whom can I ask?':
        '<p>The Globex service desk is on the ground floor, and at <a href="https://help.globex.test/" ' +
        `${REL}>help.globex.test</a>.</p>`,
    },
  },
};

/** The FAQ of one of the demo's organisations. Answers are as the server keeps them. */
const written = (content: Content): WorldOrganisation['faq'] =>
  Object.entries(content).map(([name, subcategories]) => ({
    name,
    subcategories: Object.entries(subcategories).map(([name, records]) => ({
      name,
      records: Object.entries(records).map(([question, answer]) => ({ question, answer })),
    })),
  }));

export const acmeFaq = () => written(ACME_CONTENT);
export const globexFaq = () => written(GLOBEX_CONTENT);

import type { PortalWords } from './portal-words.ts';

export const ENGLISH: PortalWords = {
  texts: {
    'activation-code': {
      subject: 'Your activation code for ${organisation}',
      body: `This is your activation code for the \${type} authenticator app:

\${code}

Enter it in the app together with your email address and the organisation code “\${orgCode}”. It can be used once, until \${expiresAt}.

> Nobody will ever ask you for this code. If you did not expect it, you can ignore this mail.`,
    },

    invitation: {
      subject: 'You are invited to ${organisation}',
      body: `You have been invited to sign in to \${organisation} without a password: the authenticator app on your \${device} takes its place.

[Activate your account](\${link})

The link brings you a second mail, with the code that activates the app.

> The link can be used once, from \${validFrom} until \${expiresAt}. If you did not expect this invitation, you can ignore this mail.`,
    },

    'new-device': {
      subject: 'New device: ${deviceName}',
      body: `The device “\${deviceName}” was added to your account at \${organisation} on \${at}. It can now approve your sign-ins.

If this was not you, sign in and report the device lost at once, or contact your Administrator.`,
    },

    'device-lost': {
      subject: 'Device reported lost: ${deviceName}',
      body: `The device “\${deviceName}” was reported lost on \${at}. It can no longer approve sign-ins, and everything that was signed in with it has been signed out.

If this was a mistake, add the device again in the portal. If you have no other device, ask your Administrator for a new activation code.`,
    },

    'one-time-code': {
      subject: 'Your one-time code for ${organisation}',
      body: `This is your one-time code to join \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you did not ask to join, you can ignore this message.`,
    },

    'email-code': {
      subject: 'Confirm your email address for ${organisation}',
      body: `This code proves that you read mail at this address. Enter it on your page at \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you have no account there, or did not ask for this, you can ignore this message: nothing changes.`,
    },

    'email-change': {
      subject: 'Your email address at ${organisation} is about to change',
      body: `On \${at} somebody signed in to your account at \${organisation} asked to replace this address with \${newEmail}. The change takes effect once the code sent to the new address is entered, by \${expiresAt} at the latest.

If this was not you, sign in, open “Edit profile” and choose “Cancel the change”, or ask your Administrator to do so. Then check your devices.`,
    },

    'email-changed': {
      subject: 'Your email address at ${organisation} has changed',
      body: `Since \${at} your account at \${organisation} uses the address \${newEmail}. Mail no longer goes to this one.

If this was not you, contact your Administrator at once.`,
    },

    'security-alert': {
      subject: 'Security: ${alert}',
      body: `\${what}

\${details}

\${advice}

> You receive this because you can change the security settings of \${organisation}. Further alerts of the same kind within an hour are not mailed; Activity lists them all.`,
    },

    'sign-up-known': {
      subject: 'You already have an account at ${organisation}',
      body: `Somebody tried to sign up at \${organisation} with your email address on \${at}, from the address \${ip}. You already have an account there, so nothing was changed.

If this was you, sign in with your authenticator app. If you have no device yet, or no longer have it, ask your Administrator for an activation code.

> If this was not you, there is nothing to do: nobody was told that you have an account.`,
    },
  },
  greeting: (firstName) => `Hello ${firstName},`,
  reason: (organisation) =>
    `You receive this mail because you are, or were asked to become, a member of ${organisation}.`,
  codeGone: '(This code is no longer valid.)',
  linkGone: '(This link is no longer valid.)',
  app: { mobile: 'mobile', desktop: 'desktop' },
  device: { mobile: 'phone', desktop: 'computer' },
  time: 'Time',
  alert: {
    subject: 'somebody is guessing activation codes',
    what: 'Many wrong activation codes came from one network.',
    details: [['Address', '203.0.113.7']],
    advice: 'If you do not know this network, block it under Security.',
  },
};

import { Building2, CircleX, Clock, MailX, PlugZap, Smartphone, UserX } from 'lucide-react';
import type { Message } from './message.ts';

const message = (icon: Message['icon'], title: string, text: string, tone: Message['tone'] = 'danger'): Message => ({
  icon,
  tone,
  title,
  text,
  leadsToSignIn: true,
});

/** Why single sign-on signed nobody in, by the last part of the address (decision 088). */
const MESSAGES: Readonly<Record<string, Message>> = {
  'sso-not-configured': message(
    PlugZap,
    'Single sign-on is not configured',
    'This organisation has no identity provider to sign in with. Sign in with your device instead.',
    'warning',
  ),
  'sso-unknown-organisation': message(
    Building2,
    'Unknown organisation',
    'The organisation of this sign-in is not known. Follow the link that your Administrator gave you.',
  ),
  'sso-unknown-state': message(
    Clock,
    'This sign-in cannot be continued',
    'It was started in another browser or has already been used. Please start again.',
    'warning',
  ),
  'sso-expired': message(
    Clock,
    'This sign-in took too long',
    'It expired while you were at your identity provider. Please start again.',
    'warning',
  ),
  'sso-unknown-email': message(
    UserX,
    'Your e-mail address is not known here',
    'Nobody in this organisation has the e-mail address you signed in with. Ask your Administrator to add you.',
  ),
  'sso-no-email': message(
    MailX,
    'Your e-mail address is missing',
    'Your identity provider does not share your e-mail address. Ask your Administrator to change that.',
  ),
  'sso-unverified-email': message(
    MailX,
    'Your e-mail address is not verified',
    'Your identity provider has not verified your e-mail address. Verify it there, then sign in again.',
    'warning',
  ),
  'sso-unproven-email': message(
    MailX,
    'Verify your e-mail address first',
    'Your e-mail address has not been verified here yet. Sign in with your device, choose “Verify address” under “Edit profile”, then try again.',
    'warning',
  ),
  'sso-needs-device': message(
    Smartphone,
    'Approve on your device first',
    'Because of your permissions, this sign-in must be approved on one of your registered devices, but none of them can answer. Sign in with your device, or ask your Administrator.',
    'warning',
  ),
  'sso-busy': message(
    Smartphone,
    'Requests are already waiting on your device',
    'Answer them first, or try again in two minutes. If you asked for none of them, deny them there.',
    'warning',
  ),
  'sso-inactive': message(UserX, 'Your account is disabled', 'Ask your Administrator to enable it again.'),
  'sso-not-registered': message(
    UserX,
    'You have not registered yet',
    'Register your first device with the activation code that you were sent, then sign in again.',
    'warning',
  ),
  'sso-denied': message(
    CircleX,
    'The sign-in was denied',
    'Your identity provider was not allowed to sign you in. You can try again, or sign in with your device.',
    'warning',
  ),
  'sso-provider-setup': message(
    PlugZap,
    'Your identity provider refuses this portal',
    'It does not accept the settings of this portal. Ask your Administrator to check them, or sign in with your device.',
  ),
  'sso-provider-down': message(
    PlugZap,
    'Your identity provider is not answering',
    'Try again in a few minutes, or sign in with your device.',
    'warning',
  ),
  'sso-provider-failed': message(
    CircleX,
    'The answer cannot be trusted',
    'The answer from your identity provider is not valid, so nobody was signed in. Try again, or sign in with your device.',
  ),
};

export const singleSignOnMessage = (name: string | undefined): Message | undefined => MESSAGES[name ?? ''];

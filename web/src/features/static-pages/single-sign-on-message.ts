import { t } from '@lingui/core/macro';
import { Building2, CircleX, Clock, type LucideIcon, MailX, PlugZap, Smartphone, UserX } from 'lucide-react';

/** Content of a page below `/static`. */
export interface Message {
  icon: LucideIcon;
  tone: 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  /** True if the next step is in the authenticator. */
  leadsToAuthenticator?: boolean;
  /** True if the next step is on the organisation's sign-in page. */
  leadsToSignIn?: boolean;
  /** True if signed-in users can try again from their current page. */
  leadsBack?: boolean;
}

const message = (icon: Message['icon'], title: string, text: string, tone: Message['tone'] = 'danger'): Message => ({
  icon,
  tone,
  title,
  text,
  leadsToSignIn: true,
});

/** Reasons why single sign-on failed, by the last segment of the address (decision 088). */
const MESSAGES: Readonly<Record<string, Message>> = {
  'sso-not-configured': message(
    PlugZap,
    t`Single sign-on isn't configured`,
    t`This organisation has no identity provider to sign in with. Sign in with your device instead.`,
    'warning',
  ),
  'sso-unknown-organisation': message(
    Building2,
    t`Unknown organisation`,
    t`We don't recognise the organisation of this sign-in. Use the link from your Administrator.`,
  ),
  'sso-unknown-state': message(
    Clock,
    t`This sign-in can't be continued`,
    t`It was started in another browser or has already been used. Please start again.`,
    'warning',
  ),
  'sso-expired': message(
    Clock,
    t`This sign-in took too long`,
    t`It expired while you were at your identity provider. Please start again.`,
    'warning',
  ),
  'sso-unknown-email': message(
    UserX,
    t`Your email address isn't known here`,
    t`No one in this organisation has the email address you signed in with. Ask your Administrator to add you.`,
  ),
  'sso-no-email': message(
    MailX,
    t`Your email address is missing`,
    t`Your identity provider doesn't share your email address. Ask your Administrator to change that.`,
  ),
  'sso-unverified-email': message(
    MailX,
    t`Your email address isn't verified`,
    t`Your identity provider hasn't verified your email address. Verify it there, then sign in again.`,
    'warning',
  ),
  'sso-unproven-email': message(
    MailX,
    t`Verify your email address first`,
    t`Your email address hasn't been verified here yet. Sign in with your device, choose “Verify address” under “Edit profile”, then try again.`,
    'warning',
  ),
  'sso-needs-device': message(
    Smartphone,
    t`Approve on your device first`,
    t`Because of your permissions, this sign-in must be approved on one of your registered devices, but none of them can answer. Sign in with your device, or ask your Administrator.`,
    'warning',
  ),
  'sso-busy': message(
    Smartphone,
    t`Requests are already waiting on your device`,
    t`Answer them first, or try again in two minutes. If you didn't request them, deny them there.`,
    'warning',
  ),
  'sso-inactive': message(UserX, t`Your account is inactive`, t`Ask your Administrator to enable it again.`),
  'sso-not-registered': message(
    UserX,
    t`You haven't registered yet`,
    t`Register your first device with the activation code that you were sent, then sign in again.`,
    'warning',
  ),
  'sso-denied': message(
    CircleX,
    t`The sign-in was denied`,
    t`Your identity provider wasn't allowed to sign you in. You can try again, or sign in with your device.`,
    'warning',
  ),
  'sso-provider-setup': message(
    PlugZap,
    t`Your identity provider refuses this portal`,
    t`It doesn't accept the settings of this portal. Ask your Administrator to check them, or sign in with your device.`,
  ),
  'sso-provider-down': message(
    PlugZap,
    t`Your identity provider isn't responding`,
    t`Try again in a few minutes, or sign in with your device.`,
    'warning',
  ),
  'sso-provider-failed': message(
    CircleX,
    t`The response can't be trusted`,
    t`The response from your identity provider isn't valid, so you weren't signed in. Try again, or sign in with your device.`,
  ),
};

export const singleSignOnMessage = (name: string | undefined): Message | undefined => MESSAGES[name ?? ''];

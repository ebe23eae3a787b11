import type { LucideIcon } from 'lucide-react';

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

import type { AuditEvent } from '@orchestrate/shared';
import {
  Activity,
  AppWindow,
  AtSign,
  BookOpenText,
  Braces,
  Building2,
  FileCog,
  FileKey2,
  FlaskConical,
  Globe,
  KeyRound,
  Link2,
  LogIn,
  type LucideIcon,
  Mail,
  ShieldAlert,
  Smartphone,
  UserCog,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { IconTile } from '#ui/text/icon-tile.tsx';

const icons: Readonly<Record<string, LucideIcon>> = {
  member: UserRound,
  members: Users,
  'activation-code': KeyRound,
  email: AtSign,
  'external-identity': Link2,
  device: Smartphone,
  browser: Globe,
  session: LogIn,
  branding: Building2,
  'session-settings': Building2,
  security: Building2,
  'mail-text': Mail,
  'mail-language': Mail,
  configuration: FileCog,
  'portal-app': AppWindow,
  'portal-oidc': KeyRound,
  'scim-credentials': KeyRound,
  'scim-token': KeyRound,
  'scim-schema': Braces,
  'registration-token': KeyRound,
  'idp-certificate': FileKey2,
  'signing-key': KeyRound,
  'faq-category': BookOpenText,
  'faq-subcategory': BookOpenText,
  'faq-record': BookOpenText,
  role: UserCog,
  application: AppWindow,
  'api-resource': Braces,
  'app-provisioning': Users,
  'client-secret': KeyRound,
  webhook: Webhook,
  attack: ShieldAlert,
  fraud: ShieldAlert,
  lab: FlaskConical,
};

const ALARMS: ReadonlySet<string> = new Set(['attack', 'fraud']);

/** Shows the icon of an object type. Signs of an attack are highlighted. */
export function EventIcon({ type }: { type: AuditEvent['object']['type'] }) {
  const Icon = icons[type] ?? Activity;
  return (
    <IconTile tone={ALARMS.has(type) ? 'danger' : 'muted'}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </IconTile>
  );
}

/**
 * Things that can be edited, and so have a version. A read answers with it as `ETag`, a write may name it in `If-Match`
 * (RFC 9110 §13.1.1), and lists from which an editor is opened give it with each item as `version`. The names are those
 * of the audit trail's objects.
 */
export type VersionedThing =
  | 'branding'
  | 'session-settings'
  | 'security'
  | 'portal-app'
  | 'portal-oidc'
  | 'application'
  | 'app-provisioning'
  | 'member'
  | 'role'
  | 'faq-category'
  | 'faq-subcategory'
  | 'faq-record'
  | 'scim-credentials'
  | 'webhook'
  | 'api-resource'
  | 'scim-schema'
  | 'mail-text'
  | 'mail-language'
  | 'configuration';

/**
 * Why a write takes no version:
 * - `reads`: it changes nothing that anybody edits; it is a query too large for an address.
 * - `creates`: it makes something new, which nobody can have changed.
 * - `deletes`: it deletes the thing in whatever state it is by now.
 * - `acts`: a single action that is meant whatever the screen showed: pause, send, sign out.
 * - `one field`: a single value that only its owner sets; the last input counts.
 */
export type Unversioned = 'reads' | 'creates' | 'deletes' | 'acts' | 'one field';

/** Who changed a thing last. `suid` is '' where it was not a member, such as a directory. */
export interface ChangedBy {
  name: string;
  suid: string;
}

/** What a refused write returns besides the refusal when the thing has changed since it was read (HTTP 412). */
export interface StaleFields<Current> {
  /** The thing as it is now; its version is the `ETag` of the same answer. */
  current: Current;
  /** Null where that is not known. */
  changedBy: ChangedBy | null;
  /** ISO 8601; null where that is not known. */
  changedAt: string | null;
}

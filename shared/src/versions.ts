/**
 * Versioned objects, which can be edited. A read answers with the version as `ETag`, a write can send it in `If-Match`
 * (RFC 9110 §13.1.1), and lists that open an editor have it in each item as `version`. The names are those of the audit
 * trail's objects.
 */
export type VersionedObject =
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
 * Reasons why a write has no version:
 * - `reads`: it changes nothing that anyone edits; it is a query too large for a URL.
 * - `creates`: it creates a new object, which no one can have changed.
 * - `deletes`: it deletes the object in whatever state it is.
 * - `acts`: a single action that applies whatever the screen showed: pause, send, sign out.
 * - `one field`: a single value that only its owner sets; the last input counts.
 */
export type Unversioned = 'reads' | 'creates' | 'deletes' | 'acts' | 'one field';

/** The author of an object's last change. `suid` is '' if it was not a member, such as a directory. */
export interface ChangedBy {
  name: string;
  suid: string;
}

/** Additional fields of a refused write if the object has changed since it was read (HTTP 412). */
export interface StaleFields<Current> {
  /** The object's present state; its version is the `ETag` of the same response. */
  current: Current;
  /** Null if unknown. */
  changedBy: ChangedBy | null;
  /** ISO 8601; null if unknown. */
  changedAt: string | null;
}

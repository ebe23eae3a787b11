import type { EndpointDefinition, FieldsOf, NewsFieldsOf, ResultName } from '@orchestrate/shared';
import { Refusal } from '../../refusal.ts';

type NewsOf<D extends EndpointDefinition> = D extends { news: readonly (infer Name extends ResultName)[] }
  ? News<Name, NewsFieldsOf<D>>
  : never;

/** The fields of the reply, without the envelope; or news; or a redirect; or a document. */
export type Answer<D extends EndpointDefinition> = D extends { document: string | readonly string[] }
  ? Document | Download
  : FieldsOf<D> | NewsOf<D> | Redirect;

/** A success whose result is above 0: one of the entry's `news`. */
export class News<Name extends ResultName, Fields> {
  readonly result: Name;
  readonly fields: Fields;

  constructor(result: Name, fields: Fields) {
    this.result = result;
    this.fields = fields;
  }
}

/** What a handler returns to answer with one of its entry's `news`. @param fields of the reply, without the envelope */
export function news<const Name extends ResultName, Fields>(result: Name, fields: Fields): News<Name, Fields> {
  return new News(result, fields);
}

/** A redirect, for a browser that navigates. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** Sends a browser to a page instead of answering. Only to addresses of our own. */
export function redirect(location: `/${string}`): Redirect {
  return new Redirect(location);
}

/** Sends a browser to another site: only to an address that an administrator has set. */
export function redirectOutside(address: URL): Redirect {
  return new Redirect(address.href);
}

/** A success that is a text of the entry's `document` type instead of JSON. */
export class Document {
  readonly text: string;
  /** A browser saves it under this name instead of showing it. */
  readonly fileName: string | undefined;

  constructor(text: string, fileName?: string) {
    this.text = text;
    this.fileName = fileName;
  }
}

/** A document generated while it is sent: of any length, of the type given here. */
export class Download {
  readonly chunks: Iterable<string>;
  readonly type: string;
  readonly fileName: string;

  constructor(chunks: Iterable<string>, { type, fileName }: { type: string; fileName: string }) {
    this.chunks = chunks;
    this.type = type;
    this.fileName = fileName;
  }
}

/** The refusal at an address where there is nothing. */
export const notFound = (): Refusal =>
  new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });

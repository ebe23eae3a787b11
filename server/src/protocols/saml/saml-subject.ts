import type { memberRepo, organisationRepo, roleRepo, serviceProviderRepo } from '@orchestrate/db';
import { NAME_ID_FORMATS } from '@orchestrate/shared';
import { memberFieldsOf, renderForEachGroup, renderTemplate, valuesOfField } from '#core/members/member-fields.ts';
import { EMAIL_NAME_ID, PERSISTENT_NAME_ID, TRANSIENT_NAME_ID, UNSPECIFIED_NAME_ID } from '#core/saml-metadata/xml.ts';
import { pairwiseIdOf, type SecretSource } from './saml-ids.ts';

/** A member's data for an assertion. */
export interface SamlSubject {
  nameId: string;
  nameIdFormat: string;
  /** Attributes, each with at least one value. */
  attributes: { name: string; format: string; values: string[] }[];
}

export interface SubjectSource {
  deps: SecretSource;
  member: memberRepo.MemberRow;
  role: Pick<roleRepo.RoleRow, 'name'> | undefined;
  organisation: Pick<organisationRepo.OrganisationRow, 'primaryAttrField'>;
  provider: Pick<
    serviceProviderRepo.ServiceProviderRow,
    'orgCode' | 'appId' | 'nameId' | 'nameIdFormat' | 'nameIdTransformationTemplate' | 'attributes' | 'attributesConfig'
  >;
}

const BASIC_FORMAT = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';

/**
 * Returns a member's name ID and attributes for one application. Omits attributes without a value.
 * @param requestedFormat name ID format, used if the application doesn't fix one
 * @param transientId value of a transient name ID without a template
 */
export function samlSubjectOf(source: SubjectSource, requestedFormat: string, transientId: string): SamlSubject {
  const { deps, provider, member } = source;
  const fields = memberFieldsOf(deps.db, source);
  const nameIdFormat = formatOf(provider.nameIdFormat, requestedFormat);
  const template = provider.nameIdTransformationTemplate;
  function plain(): string {
    if (nameIdFormat === TRANSIENT_NAME_ID) return transientId;
    return isPairwise(provider, requestedFormat)
      ? pairwiseIdOf(deps, provider, member.suid)
      : fields.fieldOf(provider.nameId);
  }
  return {
    nameId: template === '' ? plain() : renderTemplate(template, fields),
    nameIdFormat,
    attributes: provider.attributes.flatMap((name) => {
      const config = provider.attributesConfig.find((one) => one.name === name);
      const values = config?.transform ? renderForEachGroup(config.transform, fields) : valuesOfField(name, fields);
      return values.length === 0 ? [] : [{ name, format: config?.format ?? BASIC_FORMAT, values }];
    }),
  };
}

/** Name ID formats that can contain an email address. */
const MAY_BE_EMAIL: readonly string[] = ['', UNSPECIFIED_NAME_ID, EMAIL_NAME_ID];

/**
 * Returns true if the name ID or email address that an application sent identifies the member.
 * @param requestedFormat name ID format, used if the name ID has none
 */
export function identifiesMember(
  source: SubjectSource,
  { nameId, format }: { nameId: string; format: string },
  requestedFormat: string,
): boolean {
  const isEmail = nameId.toLowerCase() === source.member.primaryEmail.toLowerCase();
  return (
    (MAY_BE_EMAIL.includes(format) && isEmail) || samlSubjectOf(source, format || requestedFormat, '').nameId === nameId
  );
}

const isOpen = (format: string): boolean => format === '' || format === UNSPECIFIED_NAME_ID;

/**
 * Returns true if the name ID is a pseudonym: the application requests a persistent name ID, and the administrator
 * has set neither a format nor a template.
 */
export const isPairwise = (
  {
    nameIdFormat,
    nameIdTransformationTemplate,
  }: Pick<SubjectSource['provider'], 'nameIdFormat' | 'nameIdTransformationTemplate'>,
  requestedFormat: string,
): boolean => isOpen(nameIdFormat) && nameIdTransformationTemplate === '' && requestedFormat === PERSISTENT_NAME_ID;

/** Returns the administrator's format. If there is none, returns the requested format if it is supported. */
function formatOf(chosen: string, requested: string): string {
  if (!isOpen(chosen)) return chosen;
  return NAME_ID_FORMATS.find((format) => format === requested) ?? UNSPECIFIED_NAME_ID;
}

import type { memberRepo, organisationRepo, roleRepo, serviceProviderRepo } from '@orchestrate/db';
import { NAME_ID_FORMATS } from '@orchestrate/shared';
import { memberFieldsOf, renderForEachGroup, renderTemplate, valuesOfField } from '#core/members/member-fields.ts';
import {
  EMAIL_NAME_ID,
  PERSISTENT_NAME_ID,
  TRANSIENT_NAME_ID,
  UNSPECIFIED_NAME_ID,
} from '#core/saml-metadata/names.ts';
import { pairwiseIdOf, type SecretSource } from './saml-ids.ts';

/** What an application is told of a member. */
export interface SamlSubject {
  nameId: string;
  nameIdFormat: string;
  /** Never without a value. */
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
 * The name id and the attributes of a member for one application. Attributes without a value are left out.
 * @param requestedFormat of the name id; counts where the application leaves the format open
 * @param transientId the value of a transient name id, unless a template writes it
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

/** Formats of name ids that may be an email address. */
const MAY_BE_EMAIL: readonly string[] = ['', UNSPECIFIED_NAME_ID, EMAIL_NAME_ID];

/**
 * Whether a member is the one whom an application names: by the name id that it is told, or by the email address.
 * @param requestedFormat of the name id, where the application doesn't say which format the given one has
 */
export function isNamed(
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
 * Whether the name id is a pseudonym: the application asks for a persistent one, and the administrator has chosen
 * neither a format nor a template.
 */
export const isPairwise = (
  {
    nameIdFormat,
    nameIdTransformationTemplate,
  }: Pick<SubjectSource['provider'], 'nameIdFormat' | 'nameIdTransformationTemplate'>,
  requestedFormat: string,
): boolean => isOpen(nameIdFormat) && nameIdTransformationTemplate === '' && requestedFormat === PERSISTENT_NAME_ID;

/** The administrator's choice counts; without one, the format the provider requests, if we support it. */
function formatOf(chosen: string, requested: string): string {
  if (!isOpen(chosen)) return chosen;
  return NAME_ID_FORMATS.find((format) => format === requested) ?? UNSPECIFIED_NAME_ID;
}

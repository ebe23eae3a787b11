import { MEMBER_FIELDS, type RefusalBody, samlTemplateProblem } from '@orchestrate/shared';

/** Settings that determine which member data a SAML application receives. */
export interface SamlFields {
  nameId: string;
  nameIdTransformationTemplate: string;
  attributes: readonly string[];
  attributesConfig: readonly { name: string; transform?: string | undefined }[];
}

type Issue = NonNullable<RefusalBody['issues']>[number];

/**
 * Returns the configuration's errors, with API field names as paths. @param primaryAttrField the organisation's
 * custom field
 */
export function samlFieldIssues(app: SamlFields, primaryAttrField: string): Issue[] {
  const fields: readonly string[] = [...MEMBER_FIELDS, primaryAttrField];
  return [
    ...(fields.includes(app.nameId) ? [] : [{ path: 'samlNameId', message: 'Choose a member field' }]),
    ...problemOf(app.nameIdTransformationTemplate, 'samlNameIdTransformationTemplate', fields),
    ...app.attributes.flatMap((name, at) => attributeIssues(app, fields, name, at)),
    ...app.attributesConfig.flatMap((config, at) => configIssues(app, fields, config, at)),
  ];
}

function problemOf(template: string, path: string, fields: readonly string[]): Issue[] {
  const message = samlTemplateProblem(template, fields);
  return message === undefined ? [] : [{ path, message }];
}

function attributeIssues(
  { attributes, attributesConfig }: SamlFields,
  fields: readonly string[],
  name: string,
  at: number,
): Issue[] {
  const path = `samlAttributes.${at}`;
  if (attributes.indexOf(name) < at) return [{ path, message: 'This attribute is already in the list' }];
  const isTransformed = attributesConfig.some((config) => config.name === name && config.transform);
  if (fields.includes(name) || isTransformed) return [];
  return [{ path, message: `${name} is not a member field. Add a transform` }];
}

function configIssues(
  { attributes, attributesConfig }: SamlFields,
  fields: readonly string[],
  { name, transform }: SamlFields['attributesConfig'][number],
  at: number,
): Issue[] {
  const path = `samlAttributesConfig.${at}`;
  const isRepeated = attributesConfig.findIndex((config) => config.name === name) < at;
  if (isRepeated || !attributes.includes(name)) {
    const message = isRepeated ? 'This attribute is already configured' : `There is no attribute named ${name}`;
    return [{ path: `${path}.name`, message }];
  }
  return transform === undefined ? [] : problemOf(transform, `${path}.transform`, fields);
}

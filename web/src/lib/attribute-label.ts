/** What people read for a field's name on the wire: `employeeId` becomes 'employee id', `UPN` stays. */
export function attributeLabel(field: string): string {
  const words = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  return words.map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase())).join(' ');
}

/**
 * Joins class names, leaving out what is missing.
 *
 * @param names - Class names, or undefined.
 */
export function joinClasses(...names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== '').join(' ')
}

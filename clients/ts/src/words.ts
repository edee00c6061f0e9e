import type { DescEnum } from "@bufbuild/protobuf";

/**
 * Names an enum's value without its prefix, such as "COMPLETED_SUCCESS".
 *
 * A value that this release does not know is named "UNKNOWN_" and its number. Nobody may act on a name, known or not:
 * only a permit lets anybody act.
 */
export function word(desc: DescEnum, number: number): string {
  return desc.value[number]?.name.slice(desc.sharedPrefix?.length ?? 0) ?? `UNKNOWN_${number}`;
}

/** Finds the value that has a name in lower case. Throws a TypeError where there is none. */
export function numberOf(desc: DescEnum, name: string): number {
  const found = desc.values.find((value) => word(desc, value.number).toLowerCase() === name);
  if (found === undefined) {
    throw new TypeError(`"${name}" is no ${desc.name}`);
  }
  return found.number;
}

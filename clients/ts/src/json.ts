/** A value as JSON knows it. A bigint is written digit by digit where a double holds it, and refused where not. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Arguments of a tool: an object, or JSON text, which is sent as it is. */
export type Arguments = { readonly [key: string]: Json | undefined } | string;

/**
 * Writes a value as JSON text.
 *
 * Throws a TypeError for what JSON does not know, and for whole numbers that a double cannot tell from their neighbours:
 * JavaScript has rounded such a literal before anybody could see it. Long identifiers are strings.
 */
export function encode(value: unknown): string {
  const text = JSON.stringify(value, (key, member: unknown) => checked(key, member)) as string | undefined;
  if (text === undefined) {
    throw new TypeError(`JSON has no word for a value of the type ${typeof value}`);
  }
  return text;
}

function checked(key: string, member: unknown): unknown {
  const place = key === "" ? "the value" : `"${key}"`;
  if (typeof member === "bigint") {
    const number = Number(member);
    if (!Number.isSafeInteger(number)) {
      throw new TypeError(`${place} is a whole number at or beyond 2^53, which JSON readers round: send it as a string`);
    }
    return number;
  }
  if (typeof member === "number") {
    if (!Number.isFinite(member)) {
      throw new TypeError(`${place} is ${member}, for which JSON has no word`);
    }
    if (Number.isInteger(member) && !Number.isSafeInteger(member)) {
      throw new TypeError(`${place} is a whole number at or beyond 2^53 and may have been rounded: send it as a string`);
    }
  }
  return member;
}

/** Writes a tool's arguments. Text is taken as JSON already. */
export function encodeArguments(args: Arguments): string {
  return typeof args === "string" ? args : encode(args);
}

/** Reads JSON text; empty text is undefined. */
export function decode(text: string): unknown {
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** A mistake in the command, its files or its templates. The message says what to do. */
export class UsageError extends Error {}

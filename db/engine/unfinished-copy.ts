/** The table of a database whose copy has not ended (db/copy). No process of the service starts on such a database. */
export const unfinishedCopyTable = 'unfinished_copy'

/** Returns the message for a database whose copy has not ended. */
export function unfinishedCopy(address: string): string {
  return `The database at ${address} is an unfinished copy. Run the same \`npm run db:copy\` again, with the DATABASE_URL of its source, until it has ended.`
}

/** A problem that the user of `npm start` can solve. Printed as a message, without a stack. */
export class StartupProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartupProblem'
  }
}

/** What the person at the terminal can do something about; told in one message, without a stack. */
export class StartupProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Trouble'
  }
}

import { render } from 'preact'
import { loadTexts } from './kit/language.ts'
import { watchBack } from './kit/unsaved.ts'
import { App } from './shell/app.tsx'
import './shell/style.css'

watchBack()
const root = document.getElementById('console')
if (root) void loadTexts().then(() => render(<App />, root))

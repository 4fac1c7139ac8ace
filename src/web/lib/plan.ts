import { onStarsChanged, starred } from './stars.ts'

/**
 * Shows the stars of this browser on the page of one's plan, which the server draws for the sessions in the address. A
 * plan that somebody else has sent stays as it is until a star is changed.
 */
export function startPlan(): void {
  if (!document.querySelector('[data-plan]')) return
  const showOwn = () => {
    const query = new URLSearchParams(location.search)
    const sessions = starred().join(',')
    if ((query.get('sessions') ?? '') === sessions) return
    location.replace(location.pathname + (sessions && `?sessions=${sessions}`))
  }
  if (!location.search.includes('sessions=')) showOwn()
  onStarsChanged(showOwn)
}

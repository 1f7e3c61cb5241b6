// Before the first paint, so that a dark page never flashes light. A file of its own because the content
// security policy allows no inline script. The key is THEME_STORAGE_KEY of src/app/core/theme/theme.ts.
try {
  const theme = localStorage.getItem('weir.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme it is.
}

// Before the first paint, so that a dark page never flashes light, nor a brand in another colour. A file of its own
// because the content security policy allows no inline script. The keys are THEME_STORAGE_KEY and BRAND_STORAGE_KEY of
// the console's source.
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('weir.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const brand = localStorage.getItem('weir.brand');
  if (/^#[0-9a-f]{6}$/i.test(brand ?? '')) {
    root.style.setProperty('--weir-accent', brand);
    root.dataset.brand = '';
  }
} catch {
  // Storage is blocked: the system's theme it is.
}

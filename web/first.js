// Before anything is drawn: the theme that was chosen, so that nothing flashes.
const chosenTheme = localStorage.getItem('polymax-theme');
if (chosenTheme === 'light' || chosenTheme === 'dark') document.documentElement.dataset.theme = chosenTheme;

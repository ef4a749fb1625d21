"""Long nardy and short nardy."""
